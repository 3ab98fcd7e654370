import { z } from 'zod';
import { FEE_BILL_STATES } from '#rules/fees/fee-bill.ts';
import { UNPAID_STAGES } from '#rules/fees/unpaid-fee.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const dollars = z.number();

/** Figures are dollars with up to six decimals: exact, so that a reader computes the same fee. */
const feeBill = z
  .object({
    id: z.string(),
    deployment: z.string(),
    strategy_name: z.string(),
    /** 1 is the first bill of the deployment. */
    number: z.number().int(),
    /** The last bill, made when the deployment ended. */
    is_closing: z.boolean(),
    period_start: z.string(),
    /** The cut-off; it belongs to the next period. */
    period_end: z.string(),
    /** The mark after the last bill; in the first bill, the initial deposit. */
    opening_high_water_mark: dollars,
    /** All deposits less all withdrawals, by the cut-off. */
    capital: dollars,
    /** Net deposits during the period; below zero when more was withdrawn. */
    net_flow: dollars,
    /** Realised profit less commission since the deployment began. */
    settled_result: dollars,
    /** The last valuation before the cut-off; null once nothing is held. */
    worth: dollars.nullable(),
    /** The opening mark after the flows of the period: what the profit is measured from. */
    adjusted_high_water_mark: dollars,
    /** The lower of what is settled and what is still there. */
    closing_value: dollars,
    profit: dollars,
    fee_percent: z.number(),
    fee: dollars,
    /** Some commissions are our estimates: the broker had not stated them after five days. */
    has_estimates: z.boolean(),
    /** Taken off the fee since, because figures that came later than the bill lower it. */
    credited: dollars,
    next_high_water_mark: dollars,
    state: z.enum(FEE_BILL_STATES),
    /** Anew where a bank took the payment back. */
    due_at: z.string(),
    /** The last step that its being unpaid has led to; null before the due date and once it is paid. */
    unpaid_stage: z.enum(UNPAID_STAGES).nullable(),
    /** What is left to pay. */
    owed: dollars,
    /** Less what a bank took back. */
    paid: dollars,
    /** Of the last payment; null while something is owed. */
    paid_at: z.string().nullable(),
    /** Taken back by the bank of the payer, because a dispute was lost; the bill is owed again. */
    charged_back: dollars,
    charged_back_at: z.string().nullable(),
    /** Given back of what was paid, or agreed to be; with the reasons. */
    refunded: dollars,
    refund_reason: z.string().nullable(),
    billed_at: z.string(),
  })
  .meta({ id: 'FeeBill' });

export type FeeBill = z.infer<typeof feeBill>;

const paidFeeBill = feeBill
  .extend({
    /** Where the payer confirms the payment at the payment service; null where it is done. */
    payment_page: z.string().nullable(),
  })
  .meta({ id: 'PaidFeeBill' });

/** The running period. Nothing of it is owed: the figures move until the cut-off. */
const feeAccrual = z
  .object({
    deployment: z.string(),
    /** The number that the next bill will have. */
    number: z.number().int(),
    period_start: z.string(),
    /** The next cut-off. */
    period_end: z.string(),
    /** The last valuation. */
    as_of: z.string(),
    opening_high_water_mark: dollars,
    capital: dollars,
    net_flow: dollars,
    settled_result: dollars,
    adjusted_high_water_mark: dollars,
    /** Cash plus positions at their current prices. */
    equity: dollars,
    fee_percent: z.number(),
    /** As a bill would have it if the period ended now. */
    accrued: z.object({ profit: dollars, fee: dollars }),
    /** As the final bill would have it if everything were sold at its current price, before commissions of that sale. */
    if_closed: z.object({ gross: dollars, profit: dollars, fee: dollars, net: dollars }),
  })
  .meta({ id: 'FeeAccrual' });

export type FeeAccrual = z.infer<typeof feeAccrual>;

/** Dollars. left = paid_in - paid_out + realized - commission; kept = left - (fee - credited). */
const finalStatement = z
  .object({
    deployment: z.string(),
    strategy_name: z.string(),
    began_at: z.string(),
    ended_at: z.string(),
    paid_in: dollars,
    paid_out: dollars,
    realized: dollars,
    commission: dollars,
    executions: z.number().int(),
    /** At the broker when everything was sold. */
    left: dollars,
    /** All bills of the deployment. */
    fee: dollars,
    credited: dollars,
    paid: dollars,
    /** Below zero where it is owed to the client. */
    owed: dollars,
    kept: dollars,
    /** False while the closing bill waits for the commissions of the broker. */
    is_billed: z.boolean(),
  })
  .meta({ id: 'FinalStatement' });

export type FinalStatement = z.infer<typeof finalStatement>;

const feePayment = z
  .object({
    /** Whether bills are paid by themselves when they fall due. */
    automatic: z.boolean(),
    /** False where payments are only recorded. */
    takes_money: z.boolean(),
    /** 0 for a client of whom the law allows no performance fee today; see the eligibility call. */
    fee_percent: z.number(),
  })
  .meta({ id: 'FeePayment' });

export type FeePayment = z.infer<typeof feePayment>;

const billsQuery = z.object({
  deployment: z.string().max(100).optional().describe('Only the bills of this deployment.'),
  limit: z.coerce.number().int().min(1).max(1000).default(500).describe('How many of the newest.'),
});

const room = { room: 'fees', security: 'bearer' } as const;

export const feesEndpoints = {
  listFeeBills: endpoint(ROUTES.listFeeBills, {
    ...room,
    summary: 'Your performance fee bills, newest first',
    description: 'One per deployment and period, including those without a fee.',
    query: billsQuery,
    status: 200,
    answer: z.array(feeBill),
    refusals: [],
  }),
  getFeeBill: endpoint(ROUTES.getFeeBill, {
    ...room,
    summary: 'One bill with all figures behind it',
    description:
      'The figures of a bill never change. Its fee can be recomputed from its figures. What was booked later can only lower what is owed: see `credited`.',
    params: idParams,
    status: 200,
    answer: feeBill,
    refusals: ['not_found'],
  }),
  downloadFeeBills: endpoint(ROUTES.downloadFeeBills, {
    ...room,
    opensByLink: true,
    summary: 'Your performance fee bills as CSV, newest first',
    description: 'One line per bill, with all figures behind it; the columns are the fields of a bill.',
    query: billsQuery,
    status: 200,
    answer: z.string(),
    media: 'text/csv',
    refusals: [],
  }),
  downloadFeeBill: endpoint(ROUTES.downloadFeeBill, {
    ...room,
    opensByLink: true,
    summary: 'One bill as CSV, with all figures behind it',
    description: 'A line of names and a line of figures; the columns are the fields of a bill.',
    params: idParams,
    status: 200,
    answer: z.string(),
    media: 'text/csv',
    refusals: ['not_found'],
  }),
  downloadFeeStatement: endpoint(ROUTES.downloadFeeStatement, {
    ...room,
    opensByLink: true,
    summary: 'One bill as a PDF, with all figures behind it',
    description: 'The statement to keep: every figure with all its decimals, and how the fee is computed.',
    params: idParams,
    status: 200,
    answer: z.string(),
    media: 'application/pdf',
    refusals: ['not_found'],
  }),
  payFeeBill: endpoint(ROUTES.payFeeBill, {
    ...room,
    summary: 'Pay one bill in full',
    description:
      'Repeating it charges nothing more. A bill without anything to pay stays as it is. Where the bank of the payer wants them to confirm it, payment_page leads there, and the bill stays unpaid until the payment service says that it is paid.',
    params: idParams,
    status: 200,
    answer: paidFeeBill,
    refusals: ['not_found', 'payment_declined'],
  }),
  getFeePayment: endpoint(ROUTES.getFeePayment, {
    ...room,
    summary: 'How your performance fee bills are paid',
    description: 'A declined payment switches automatic payment off.',
    status: 200,
    answer: feePayment,
    refusals: [],
  }),
  changeFeePayment: endpoint(ROUTES.changeFeePayment, {
    ...room,
    summary: 'Have your bills paid automatically when they fall due, or pay each yourself',
    description: 'Bills that are unpaid and due are paid within minutes of switching it on.',
    body: z.strictObject({ automatic: z.boolean() }).meta({ id: 'FeePaymentChange' }),
    status: 200,
    answer: feePayment,
    refusals: [],
  }),
  getFinalStatement: endpoint(ROUTES.getFinalStatement, {
    ...room,
    summary: 'What became of the money of a deployment that has ended',
    description: 'Named by the id of the deployment. Not found while it runs, and for practice money.',
    params: idParams,
    status: 200,
    answer: finalStatement,
    refusals: ['not_found'],
  }),
  downloadFinalStatement: endpoint(ROUTES.downloadFinalStatement, {
    ...room,
    opensByLink: true,
    summary: 'The final statement of a deployment as a PDF',
    description: 'The same figures, to keep.',
    params: idParams,
    status: 200,
    answer: z.string(),
    media: 'application/pdf',
    refusals: ['not_found'],
  }),
  getFeeAccrual: endpoint(ROUTES.getFeeAccrual, {
    ...room,
    summary: 'The fee of a running deployment so far, and what a close would leave',
    description:
      'Named by the id of the deployment. Not found once it has ended, and for practice money, which pays no fee.',
    params: idParams,
    status: 200,
    answer: feeAccrual,
    refusals: ['not_found'],
  }),
} as const;
