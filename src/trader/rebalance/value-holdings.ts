import type { Instrument, Marks } from '#engine/market/instrument.ts';
import type { Portfolio } from '#engine/portfolio/portfolio.ts';
import { valuePosition } from '#engine/portfolio/value.ts';
import type { Holding, Holdings } from '#records/portfolio/positions.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, type Micro } from '#units/money.ts';

export type ValuedHoldings = {
  readonly holdings: Holdings;
  /** cash + the sum of every holding's current value, to the micro-unit. */
  readonly equity: Micro;
  readonly positionsValue: Micro;
};

/** Values what is held. A holding that is worth what it was keeps its identity, so that it need not be written. */
export function valueHoldings(
  portfolio: Portfolio,
  before: Holdings,
  at: Instant,
  prices: {
    readonly marks: Marks;
    readonly instruments: ReadonlyMap<Symbol, Instrument>;
    /** What has no price of this instant: it says since when it is worth what it is. */
    readonly unpriced: readonly Symbol[];
  },
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
