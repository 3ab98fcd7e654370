import type { feesEndpoints } from '../../../src/contract/fees.ts';
import { billedDeployment } from '../../support/billed-deployment.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson } from '../../support/test-person.ts';
import { unpaidFee } from '../../support/unpaid-fee.ts';
import type { CasesOf } from '../call-case.ts';

async function billed(app: TestApp) {
  const { person, deploymentId } = await billedDeployment(app);
  return { token: person.token, deploymentId };
}

async function newestBill(app: TestApp) {
  const { token } = await billed(app);
  const { body } = await app.request({ method: 'GET', url: '/api/fees/bills/', token });
  return { token, params: { id: body[0].id as string } };
}

async function endedDeployment(app: TestApp) {
  const { token, deploymentId } = await billed(app);
  await app.records.pool.query(
    `update deployments set status = 'liquidated', ended_at = billed_through, revision = revision + 1 where id = $1`,
    [deploymentId],
  );
  return { token, params: { id: deploymentId } };
}

export const feesCases: CasesOf<typeof feesEndpoints> = {
  listFeeBills: {
    success: async (app) => {
      const { token, deploymentId } = await billed(app);
      return { token, query: { deployment: deploymentId } };
    },
  },
  downloadFeeBills: {
    success: async (app) => {
      const { token, deploymentId } = await billed(app);
      return { token, query: { deployment: deploymentId } };
    },
  },
  getFeeBill: { success: newestBill },
  downloadFeeBill: { success: newestBill },
  downloadFeeStatement: { success: newestBill },
  payFeeBill: {
    success: async (app) => {
      const { token, deploymentId } = await billed(app);
      return { token, params: { id: await unpaidFee(app.records, deploymentId, { daysAgo: 1 }) } };
    },
    payment_declined: async (app) => {
      const { token, deploymentId } = await billed(app);
      const charge = async () => ({ outcome: 'declined', why: 'refused' });
      const payments = { ...app.dependencies.payments, charge };
      Object.assign(app.dependencies, { payments });
      return { token, params: { id: await unpaidFee(app.records, deploymentId, { daysAgo: 1 }) } };
    },
  },
  getFinalStatement: { success: endedDeployment },
  downloadFinalStatement: { success: endedDeployment },
  getFeePayment: { success: async (app) => ({ token: (await signedInPerson(app)).token }) },
  changeFeePayment: {
    success: async (app) => ({ token: (await signedInPerson(app)).token, body: { automatic: false } }),
  },
  getFeeAccrual: {
    success: async (app) => {
      const { token, deploymentId } = await billed(app);
      return { token, params: { id: deploymentId } };
    },
  },
};
