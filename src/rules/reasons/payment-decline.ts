// Why a payment was not taken, as its payer reads it.

const TEXTS = {
  no_means: 'No payment card is saved. Save one, then confirm the payment.',
  insufficient_funds:
    'Your card does not have enough funds. Nothing was charged. Use another card or try again later.',
  expired: 'Your card has expired. Nothing was charged. Save another card.',
  withdrawn: 'You replaced this payment by another one. Nothing was charged for it.',
  refused: 'Your bank refused the payment. Nothing was charged. Use another card or ask your bank.',
  to_confirm:
    'Your bank wants you to confirm the payment yourself. Nothing was charged. Choose the plan again and confirm it.',
} as const;

/** Why a plan has ended. */
export const PLAN_TAKEN_BACK = 'Your bank took back the payment of your plan.';

export function declineText(why: keyof typeof TEXTS): string {
  return TEXTS[why];
}
