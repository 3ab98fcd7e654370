// At what price a practice order fills. Promises never to flatter: the worse of what the quote shows and what the
// backtest assumes, and never beyond the order's limit.
import type { Instrument } from '../market/instrument.ts';
import { TRADING_COSTS } from '../market/costs.ts';
import { quotedBeyond } from '../order/limit-price.ts';
import type { PracticeOrder } from './practice-account.ts';

export type PracticeQuote = {
  readonly last: number;
  readonly bid: number;
  readonly ask: number;
};

/** Null when the order does not trade at this quote. */
export function fillPrice(
  order: Pick<PracticeOrder, 'side' | 'limitPrice' | 'stopPrice' | 'filled'>,
  quote: PracticeQuote,
  instrument: Instrument,
): number | null {
  const isBuy = order.side === 'buy';
  const { last, bid, ask } = quote;
  if (!(last > 0 && bid > 0 && ask >= bid)) return null;
  // A stop that has begun to fill is a market order.
  const waitsFor = order.filled === 0 ? order.stopPrice : null;
  if (waitsFor !== null && (isBuy ? last < waitsFor : last > waitsFor)) return null;
  const { slippageRate } = TRADING_COSTS[instrument.kind];
  const modelled = isBuy ? last * (1 + slippageRate) : last * (1 - slippageRate);
  const price = quotedBeyond(
    isBuy ? Math.max(modelled, ask) : Math.min(modelled, bid),
    isBuy ? 'up' : 'down',
    instrument,
  );
  if (price <= 0) return null;
  const { limitPrice } = order;
  if (limitPrice === null) return price;
  return (isBuy ? price <= limitPrice : price >= limitPrice) ? price : null;
}
