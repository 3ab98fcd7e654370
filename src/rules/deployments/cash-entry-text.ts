// The words of a movement of cash, from its kind and what it was about.
import type { Side } from '#engine/order/order.ts';
import { type Quantity, quantityText } from '#units/quantity.ts';
import { dollars } from '../dollars.ts';
import { priceText } from '../price-text.ts';
import type { Micro } from '#units/money.ts';

export const CASH_ENTRY_KINDS = [
  'opening',
  'deposit',
  'withdrawal',
  'fill',
  'commission',
  'dividend',
  'swap',
  'expiry',
  'exercise',
  'assignment',
  'delivery',
  'split',
  'coin_fee',
  'trading_fee',
  'adjustment',
  'fee',
  'fee_credit',
  'closing',
] as const;
export type CashEntryKind = (typeof CASH_ENTRY_KINDS)[number];

export type CashEntryFacts = {
  readonly kind: CashEntryKind;
  readonly symbol: string | null;
  /** The broker's own figure came, and differs from what was booked before. */
  readonly isBrokerFigure: boolean;
  /** Of a fill; `currency` is the one that the price is quoted in. */
  readonly fill: {
    readonly side: Side;
    readonly quantity: Quantity;
    readonly price: number;
    readonly currency: string;
  } | null;
  /** Of a performance fee. */
  readonly billed: Micro;
};

export function cashEntryText({ kind, symbol, isBrokerFigure, fill, billed }: CashEntryFacts): string {
  if (fill !== null) {
    const verb = fill.side === 'buy' ? 'Bought' : 'Sold';
    return `${verb} ${quantityText(fill.quantity)} ${symbol ?? ''} at ${priceText(fill.price, fill.currency)}`;
  }
  if (kind === 'fee') return `Performance fee of ${dollars(billed)}, invoiced separately`;
  if (kind === 'fee_credit') return `Credit of ${dollars(-billed as Micro)} on a performance fee`;
  const what = symbol === null ? WORDS[kind] : `${WORDS[kind]}: ${symbol}`;
  return isBrokerFigure ? `${what}, corrected to your broker's figure` : what;
}

export const CASH_TOTAL_WORDS: Readonly<Record<CashEntryKind, string>> = {
  opening: 'Money put in',
  deposit: 'Money added',
  withdrawal: 'Money withdrawn',
  fill: 'Trades',
  commission: 'Commissions',
  dividend: 'Dividends',
  swap: 'Financing',
  expiry: 'Expiries',
  exercise: 'Exercises',
  assignment: 'Assignments',
  delivery: 'Deliveries',
  split: 'Splits',
  coin_fee: 'Fees in coins',
  trading_fee: 'Trading fees',
  adjustment: 'Adjustments',
  fee: 'Performance fees',
  fee_credit: 'Fee credits',
  closing: 'Closing',
};

const WORDS: Readonly<Record<Exclude<CashEntryKind, 'fee' | 'fee_credit'>, string>> = {
  opening: 'Money put in',
  deposit: 'Money added',
  withdrawal: 'Money withdrawn',
  fill: 'Trade',
  commission: 'Commission, as your broker charged it',
  dividend: 'Dividend',
  swap: 'Overnight financing',
  expiry: 'Expiry',
  exercise: 'Exercise',
  assignment: 'Assignment',
  delivery: 'Delivery of shares',
  split: 'Cash for a split',
  coin_fee: 'Fee in coins',
  trading_fee: 'Trading fees of the day',
  adjustment: 'Adjustment agreed by two people',
  closing: 'Closing',
};
