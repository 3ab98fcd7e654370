import { z } from 'zod';
import { PLAN_IDS, PLAN_INTERVALS } from '#rules/billing/plans.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const planId = z.enum(PLAN_IDS, `Choose one of ${PLAN_IDS.join(', ')}`);
const planInterval = z.enum(PLAN_INTERVALS, `Choose one of ${PLAN_INTERVALS.join(', ')}`);

export const plan = z
  .object({
    id: planId,
    name: z.string(),
    /** Dollars a month, paid by the month. */
    price: z.number(),
    /** Dollars a month, paid by the year. */
    yearly_price: z.number(),
    interval: z.literal('month'),
    isPopular: z.boolean(),
    features: z.array(z.string()),
    /** Null is unlimited. */
    max_active_deployments: z.number().int().nullable(),
    /** Dollars. */
    max_total_investment: z.number(),
  })
  .meta({ id: 'Plan' });

export type Plan = z.infer<typeof plan>;

const subscription = z
  .object({
    plan: planId,
    interval: planInterval,
    chosen_at: z.string(),
    /** When it renews, or ends when it was cancelled; null on the free plan. */
    period_end: z.string().nullable(),
    /** Dollars of the next payment, after credit; null when there is none. */
    next_payment: z.number().nullable(),
    /** Dollars, kept for later payments. */
    credit: z.number(),
    cancelled_at: z.string().nullable(),
    /** Why the last renewal failed, or its payment was taken back, as a sentence; the free plan applies since then. */
    renewal_failure: z.string().nullable(),
  })
  .meta({ id: 'Subscription' });

export type Subscription = z.infer<typeof subscription>;

const billing = z
  .object({
    /** Null until a plan was chosen. */
    subscription: subscription.nullable(),
    /** The plan whose caps apply now; null when none do. */
    held_to: planId.nullable(),
    /** Deployments that trade or wait to. */
    active_deployments: z.number().int(),
    /** Dollars in all deployments that have not ended. */
    total_investment: z.number(),
    /** False where a payment is only recorded: no card is requested and nothing is charged. */
    takes_money: z.boolean(),
  })
  .meta({ id: 'Billing' });

export type Billing = z.infer<typeof billing>;

const planQuote = z
  .object({
    plan: planId,
    interval: planInterval,
    /** Dollars for one period. */
    price: z.number(),
    /** Dollars for the unused days of the plan that ends. */
    unused: z.number(),
    credit_used: z.number(),
    amount_due: z.number(),
    credit_left: z.number(),
    /** Null on the free plan. */
    renews_at: z.string().nullable(),
  })
  .meta({ id: 'PlanQuote' });

export type PlanQuote = z.infer<typeof planQuote>;

const payment = z
  .object({
    id: z.string(),
    receipt_number: z.string(),
    kind: z.enum(['start', 'change', 'renewal']),
    plan: planId,
    interval: planInterval,
    period_start: z.string(),
    period_end: z.string(),
    /** Dollars; price = credit_used + amount. */
    price: z.number(),
    credit_used: z.number(),
    amount: z.number(),
    currency: z.literal('USD'),
    /** Who took the money; 'ledger' means that it is only recorded. */
    vendor: z.string(),
    paid_at: z.string(),
    /** Given back of it, or agreed to be; with the reasons. */
    refunded: z.number(),
    refund_reason: z.string().nullable(),
    /** Taken back by the bank of the payer, because a dispute was lost. */
    charged_back: z.number(),
  })
  .meta({ id: 'Payment' });

export type Payment = z.infer<typeof payment>;

const choice = { plan: planId, interval: planInterval };
const room = { room: 'billing', security: 'bearer' } as const;

export const billingEndpoints = {
  listPlans: endpoint(ROUTES.listPlans, {
    room: 'billing',
    security: 'open',
    summary: 'The four plans, their prices and their caps',
    description: 'Prices are in dollars a month; yearly billing costs a fifth less, in whole dollars.',
    status: 200,
    answer: z.array(plan),
    refusals: [],
    isStatic: true,
  }),
  getBilling: endpoint(ROUTES.getBilling, {
    ...room,
    summary: 'Your plan and how much of it is in use',
    description: 'The plan with its period, its current caps and the usage against them.',
    status: 200,
    answer: billing,
    refusals: [],
  }),
  quotePlan: endpoint(ROUTES.quotePlan, {
    ...room,
    summary: 'Quote for choosing a plan now; changes nothing',
    description:
      'A new period starts today: its price is due, less the unused days of the old one; any remainder stays as credit.',
    query: z.object({
      plan: planId.describe('The plan to choose.'),
      interval: planInterval.describe('Monthly or yearly billing.'),
    }),
    status: 200,
    answer: planQuote,
    refusals: ['already_exists', 'plan_limit'],
  }),
  choosePlan: endpoint(ROUTES.choosePlan, {
    ...room,
    summary: 'Choose or change a plan and pay for it',
    description:
      'Send an Idempotency-Key so that a repeated request pays once. A plan that does not cover the current usage is refused. Where the bank of the payer wants them to confirm the payment, payment_page leads there, and nothing changes until the payment service says that it is paid.',
    body: z.strictObject(choice).meta({ id: 'ChoosePlanRequest' }),
    status: 201,
    /** payment is null for the free plan, and until the payer has confirmed it at payment_page. */
    answer: z
      .object({ billing, payment: payment.nullable(), payment_page: z.string().nullable() })
      .meta({ id: 'PlanChosen' }),
    refusals: ['already_exists', 'plan_limit', 'payment_declined', 'in_use'],
    idempotent: true,
  }),
  openPaymentPage: endpoint(ROUTES.openPaymentPage, {
    ...room,
    summary: 'A page of the payment service where you save a card or change it',
    description:
      'return_to is the path of this site that the page leads back to. Saving a card pays nothing.',
    body: z
      .strictObject({
        return_to: z
          .string('Enter a path')
          .max(500)
          .regex(/^\/(?![/\\])/, 'Enter a path of this site, such as /account'),
      })
      .meta({ id: 'OpenPaymentPageRequest' }),
    status: 200,
    answer: z.object({ url: z.string() }).meta({ id: 'PaymentPage' }),
    refusals: ['illegal_move'],
  }),
  cancelPlan: endpoint(ROUTES.cancelPlan, {
    ...room,
    summary: 'End the paid plan with its period; the free plan applies after that, and nothing is sold',
    description:
      'Repeating it changes nothing. Deployments keep running; nothing new starts beyond the caps of the free plan.',
    status: 200,
    answer: billing,
    refusals: ['illegal_move'],
  }),
  keepPlan: endpoint(ROUTES.keepPlan, {
    ...room,
    summary: 'Undo the cancellation before the period ends',
    description: 'The plan renews again as if it had never been cancelled.',
    status: 200,
    answer: billing,
    refusals: ['illegal_move'],
  }),
  listPayments: endpoint(ROUTES.listPayments, {
    ...room,
    summary: 'Your payments, newest first',
    description: 'Each with its receipt number, period and the credit used.',
    status: 200,
    answer: z.array(payment),
    refusals: [],
  }),
  getPayment: endpoint(ROUTES.getPayment, {
    ...room,
    summary: 'One payment, as its receipt shows it',
    description: 'A payment never changes.',
    params: idParams,
    status: 200,
    answer: payment,
    refusals: ['not_found'],
  }),
} as const;
