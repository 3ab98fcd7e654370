// A venue that fills limit orders from closed bars: at the open when the open is within the limit, else at the limit
// when the bar reaches it, else not at all. It never fills beyond a limit.
import type { Instrument } from '#engine/market/instrument.ts';
import { quotedPrice } from '#engine/order/limit-price.ts';
import type { Side } from '#engine/order/order.ts';

export type LimitOrder = { readonly side: Side; readonly limitPrice: number };

/** The price at which a limit order meets a market price, slippage included; null beyond its limit. */
export function priceAgainst(
  { side, limitPrice }: LimitOrder,
  marketPrice: number,
  { instrument, slippageRate }: { readonly instrument: Instrument; readonly slippageRate: number },
): number | null {
  if (side === 'buy') {
    if (marketPrice > limitPrice) return null;
    return Math.min(limitPrice, quotedPrice(marketPrice * (1 + slippageRate), instrument));
  }
  if (marketPrice < limitPrice) return null;
  return Math.max(limitPrice, quotedPrice(marketPrice * (1 - slippageRate), instrument));
}

export type DayOrderBar = { readonly open: number; readonly high: number; readonly low: number };

/** The price at which a day order fills within one bar; null when it expires. */
export function priceWithin(
  order: LimitOrder,
  bar: DayOrderBar,
  terms: { readonly instrument: Instrument; readonly slippageRate: number },
): number | null {
  const atOpen = priceAgainst(order, bar.open, terms);
  if (atOpen !== null) return atOpen;
  const reached = order.side === 'buy' ? bar.low <= order.limitPrice : bar.high >= order.limitPrice;
  return reached ? order.limitPrice : null;
}
