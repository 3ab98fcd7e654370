import type { MarketDataAnswer } from '#ports/market-data.ts';

/** Throws when the feed failed: nothing is decided without its answer. */
export function valueOf<Value>(answer: MarketDataAnswer<Value>): Value {
  if (!answer.ok) throw new Error(`market data ${answer.code}: ${answer.message}`);
  return answer.value;
}
