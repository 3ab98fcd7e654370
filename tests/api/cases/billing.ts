import { randomUUID } from 'node:crypto';
import type { billingEndpoints } from '../../../src/contract/billing.ts';
import type { TestApp } from '../../support/test-app.ts';
import { newDeployment } from '../../support/test-deployment.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';

const BASIC = { plan: 'basic', interval: 'monthly' };
const FREE = { plan: 'free', interval: 'monthly' };

const signedIn = async (app: TestApp) => ({ token: (await signedInPerson(app)).token });
/** Ten thousand dollars at work: more than the free plan covers. */
const deployed = async (app: TestApp) => ({ token: (await newDeployment(app)).person.token });

async function subscribed(app: TestApp) {
  const { token } = await signedInPerson(app);
  const chosen = await app.request({ method: 'POST', url: '/api/billing/plan/', token, body: BASIC });
  return { token, paymentId: chosen.body.payment.id as string };
}

/** A vendor of payments that answers so; the rest stays as it is. */
function answersOf(app: TestApp, answers: Record<string, unknown>): void {
  Object.assign(app.dependencies, { payments: { ...app.dependencies.payments, ...answers } });
}

const onBasic = async (app: TestApp) => ({ token: (await subscribed(app)).token });

export const billingCases: CasesOf<typeof billingEndpoints> = {
  listPlans: { success: async () => ({}) },
  getBilling: { success: signedIn },
  quotePlan: {
    success: async (app) => ({ ...(await signedIn(app)), query: BASIC }),
    already_exists: async (app) => ({ ...(await onBasic(app)), query: BASIC }),
    plan_limit: async (app) => ({ ...(await deployed(app)), query: FREE }),
  },
  choosePlan: {
    success: async (app) => ({ ...(await signedIn(app)), body: BASIC }),
    already_exists: async (app) => ({ ...(await onBasic(app)), body: BASIC }),
    plan_limit: async (app) => ({ ...(await deployed(app)), body: FREE }),
    payment_declined: async (app) => {
      answersOf(app, { charge: async () => ({ outcome: 'declined', why: 'refused' }) });
      return { ...(await signedIn(app)), body: BASIC };
    },
    in_use: async (app) => {
      const person = await signedInPerson(app);
      await app.records.pool.query(
        `insert into charges (id, user_id, purpose, amount_micro, vendor, quote, is_automatic, opened_at)
         values ($1, $2, 'plan', 79000000, 'told', '{}', false, now())`,
        [randomUUID(), person.id],
      );
      return { token: person.token, body: BASIC };
    },
    idempotency_conflict: async (app) => {
      const { token } = await signedIn(app);
      const headers = { 'idempotency-key': randomUUID() };
      await app.request({ method: 'POST', url: '/api/billing/plan/', token, body: BASIC, headers });
      return { token, headers, body: { plan: 'pro', interval: 'monthly' } };
    },
  },
  openPaymentPage: {
    success: async (app) => {
      const url = 'https://checkout.example/c/pay/cs_1';
      answersOf(app, { openMeansPage: async () => ({ outcome: 'page', url }) });
      return { ...(await signedIn(app)), body: { return_to: '/billing?plan=pro&interval=monthly' } };
    },
    illegal_move: async (app) => {
      answersOf(app, { openMeansPage: null });
      return { ...(await signedIn(app)), body: { return_to: '/account' } };
    },
  },
  cancelPlan: { success: onBasic, illegal_move: signedIn },
  keepPlan: { success: onBasic, illegal_move: signedIn },
  listPayments: { success: onBasic },
  getPayment: {
    success: async (app) => {
      const { token, paymentId } = await subscribed(app);
      return { token, params: { id: paymentId } };
    },
  },
};
