// Whether the price that an order was decided on is still of its time, asked as the last thing before it leaves: an order
// that waits for something else needs no newer price yet.
import type { Instant } from '#units/instant.ts';
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

export function checkPrice(
  {
    decided: { symbol },
    pricedAt,
  }: { readonly decided: Pick<OrderRecord['decided'], 'symbol'>; readonly pricedAt: Instant | null },
  {
    now,
    speed,
    instruments,
    marks,
  }: Pick<TradingMarket, 'now' | 'instruments' | 'marks'> & { readonly speed: number },
): PriceCheck {
  const instrument = instruments.get(symbol);
  if (pricedAt === null || instrument === undefined) return { type: 'current' };
  if (!isPriceTooOld({ instrument, pricedAt, now, speed })) return { type: 'current' };
  return marks.has(symbol)
    ? { type: 'withdraw', reason: { code: 'price_too_old' } }
    : { type: 'wait', reason: { code: 'no_current_price' } };
}
