// What positions and portfolios are worth at given marks, in US dollars. At every moment
// equity = cash + sum of currentValue = first cash + realized + sum of unrealized.
import { add, type Micro, micro, notional, scale, ZERO_MICRO } from '#units/money.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instrument, Marks } from '../market/instrument.ts';
import type { Portfolio, Position } from './portfolio.ts';
import { dollarsPerQuote } from './quote-rate.ts';

export type PositionValue = {
  /** Signed. Margin kinds are worth their unrealised profit: the notional never left the account. */
  readonly currentValue: Micro;
  /** Signed like the quantity; zero for margin kinds. */
  readonly totalCost: Micro;
  readonly unrealized: Micro;
  /** The market exposure, signed. */
  readonly notional: Micro;
};

export type PortfolioValue = {
  readonly equity: Micro;
  readonly positionsValue: Micro;
  readonly unrealized: Micro;
  /** Sum of the sizes of all exposures, each positive. */
  readonly grossNotional: Micro;
};

/** Values one position at its own mark. `marks` are used only for the rate of a third currency. */
export function valuePosition(
  position: Position,
  mark: number,
  instrument: Instrument,
  marks: Marks,
): PositionValue {
  const worth = notional(position.quantity, mark, instrument.multiplier);
  const profit = micro(worth - position.cost);
  if (instrument.currency === 'USD') {
    return instrument.settlement === 'cash'
      ? { currentValue: worth, totalCost: position.cost, unrealized: profit, notional: worth }
      : { currentValue: profit, totalCost: ZERO_MICRO, unrealized: profit, notional: worth };
  }
  if (instrument.settlement === 'cash') {
    throw new RangeError(
      `${instrument.symbol} is quoted in ${instrument.currency}: only dollar prices settle in cash`,
    );
  }
  const rate = dollarsPerQuote(instrument, mark, marks);
  const unrealized = scale(profit, rate);
  return { currentValue: unrealized, totalCost: ZERO_MICRO, unrealized, notional: scale(worth, rate) };
}

/** Values a portfolio. Throws RangeError when a held instrument or its mark is missing. */
export function valuePortfolio(
  portfolio: Portfolio,
  marks: Marks,
  instruments: ReadonlyMap<Symbol, Instrument>,
): PortfolioValue {
  let positionsValue = 0;
  let unrealized = 0;
  let grossNotional = 0;
  for (const position of portfolio.positions.values()) {
    const instrument = instruments.get(position.symbol);
    const mark = marks.get(position.symbol);
    if (instrument === undefined)
      throw new RangeError(`held but not known as an instrument: ${position.symbol}`);
    if (mark === undefined) throw new RangeError(`held but without a mark: ${position.symbol}`);
    const value = valuePosition(position, mark, instrument, marks);
    positionsValue += value.currentValue;
    unrealized += value.unrealized;
    grossNotional += Math.abs(value.notional);
  }
  return {
    equity: add(portfolio.cash, micro(positionsValue)),
    positionsValue: micro(positionsValue),
    unrealized: micro(unrealized),
    grossNotional: micro(grossNotional),
  };
}
