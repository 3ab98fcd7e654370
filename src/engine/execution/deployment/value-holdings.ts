// What a deployment's positions are worth at the marks of one moment.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, type Micro } from '#units/money.ts';
import type { Portfolio } from '../../portfolio/portfolio.ts';
import { valuePosition } from '../../portfolio/value.ts';
import type { Holding, Holdings } from './trading-deployment.ts';
import type { TradingMarket } from './trading-market.ts';

export type ValuedHoldings = {
  readonly holdings: Holdings;
  /** cash + the sum of every holding's current value, to the micro-unit. */
  readonly equity: Micro;
  readonly positionsValue: Micro;
};

/**
 * A holding with an unchanged value keeps its identity, so that it need not be written. One without a price at this
 * instant keeps the time of its last value. Throws RangeError when a held instrument or its mark is missing.
 */
export function valueHoldings(
  portfolio: Portfolio,
  before: Holdings,
  at: Instant,
  prices: Pick<TradingMarket, 'marks' | 'instruments' | 'unpriced'>,
): ValuedHoldings {
  const holdings = new Map<Symbol, Holding>();
  const values: Micro[] = [];
  for (const { symbol, quantity, cost } of portfolio.positions.values()) {
    const instrument = prices.instruments.get(symbol);
    const markPrice = prices.marks.get(symbol);
    if (instrument === undefined || markPrice === undefined)
      throw new RangeError(`${symbol} is held, but has no ${instrument ? 'price' : 'instrument'}`);
    const value = valuePosition({ symbol, quantity, cost }, markPrice, instrument, prices.marks);
    const old = before.get(symbol);
    const markedAt = old !== undefined && prices.unpriced.includes(symbol) ? old.markedAt : at;
    const holding: Holding = { symbol, quantity, cost, markPrice, ...value, markedAt };
    holdings.set(symbol, old && isWorthTheSame(old, holding) ? old : holding);
    values.push(value.currentValue);
  }
  const positionsValue = add(...values);
  return { holdings, equity: add(portfolio.cash, positionsValue), positionsValue };
}

function isWorthTheSame(left: Holding, right: Holding): boolean {
  return (
    left.quantity === right.quantity &&
    left.cost === right.cost &&
    left.markPrice === right.markPrice &&
    left.currentValue === right.currentValue &&
    left.notional === right.notional
  );
}
