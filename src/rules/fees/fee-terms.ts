// How the performance fee is measured, in the words of the agreement. The same sentences explain a bill and answer the
// questions of visitors: one wording, beside the rule that it describes.

import { COMMISSION_WAIT_DAYS } from './due-period.ts';

/** What counts as profit: fee-bill.ts. */
export const SETTLED_PROFIT_TERM =
  'Profit counts when it is settled and still there. It is settled once a sale has realized it or a payment has come in, less commission. At the end of a period the fee is measured from the lower of two values: the settled value, which is the money you put in plus settled profit, and the market value. So an open profit is not billed until it is realized, and an open loss counts at once. When a deployment ends, nothing is open and the two are equal.';

/** The high-water mark: performance-fee.ts. */
export const HIGH_WATER_MARK_TERM =
  'The fee is due only on profit above the high-water mark, which is the highest value at which we have billed a deployment before; at the start it is the amount that you deployed. A loss must be recovered before any further fee is due. Money that you add or withdraw is neither profit nor loss: it raises or lowers the mark by its amount. Withdrawing is no reason for a fee by itself; profit that you withdraw is billed at the end of its period like any other.';

/** When it is billed: due-period.ts. */
export const BILLING_TERM =
  'Profit is measured, and billed, at the end of each week or each month, whichever applies to your account, and when a deployment ends.';

/** Corrections of a closing bill: fee-correction.ts. */
export const CORRECTION_TERM = `The final invoice waits up to ${COMMISSION_WAIT_DAYS} days for the commissions of your broker. What your broker states later can lower it, and never raises it.`;
