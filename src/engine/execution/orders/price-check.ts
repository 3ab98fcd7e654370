// Whether the price that an order was decided on is still of its time, asked as the last thing before it leaves: an order
// that waits for something else needs no newer price yet.
import { type Instant, SECOND_MS } from '#units/instant.ts';
import { isPriceTooOld } from '../../market/kinds/price-age.ts';
import type { TradingMarket } from '../deployment/trading-market.ts';
import type { EndReason, HoldReason } from './order-reason.ts';
import type { OrderRecord } from './order-record.ts';

export type PriceCheck =
  | { readonly type: 'current' }
  /** There is no newer price to decide on. */
  | { readonly type: 'wait'; readonly reason: HoldReason }
  /** It is decided again at the newer price. */
  | { readonly type: 'withdraw'; readonly reason: EndReason };

export type PricedOrder = {
  readonly decided: Pick<OrderRecord['decided'], 'symbol' | 'decidedAt' | 'purpose'>;
  readonly pricedAt: Instant | null;
};

type Present = Pick<TradingMarket, 'now' | 'instruments' | 'marks' | 'doubted'> & {
  readonly speed: number;
  /** When the broker was first read completely after the last gap, on the market's clock. */
  readonly reconciledSince: Instant | null;
};

/** An order that was decided before a gap was over has waited for it: it soon counts as old. */
export function checkPrice(
  { decided: { symbol, decidedAt, purpose }, pricedAt }: PricedOrder,
  { now, speed, instruments, marks, doubted, reconciledSince }: Present,
): PriceCheck {
  const instrument = instruments.get(symbol);
  if (pricedAt === null || instrument === undefined) return { type: 'current' };
  // What the strategy wants waits for feeds that agree; a stop loss was decided before they differed.
  if (purpose === 'rebalance' && doubted.has(symbol))
    return { type: 'wait', reason: { code: 'price_doubted' } };
  const isOfGap = reconciledSince === null || decidedAt < reconciledSince;
  const maxAge = isOfGap ? { maxAgeMs: AFTER_GAP_MS } : {};
  if (!isPriceTooOld({ instrument, pricedAt, now, speed, ...maxAge })) return { type: 'current' };
  const isPriced = marks.has(symbol) || (purpose === 'liquidation' && doubted.has(symbol));
  return isPriced
    ? { type: 'withdraw', reason: { code: 'price_too_old' } }
    : { type: 'wait', reason: { code: 'no_current_price' } };
}

const AFTER_GAP_MS = 2 * SECOND_MS;
