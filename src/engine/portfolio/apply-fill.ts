// A portfolio changes by applying a fill, and the change is a double entry that sums to zero. Average cost; a fill
// that passes through zero closes what was held and opens the rest at the same price.
import type { Symbol } from '#units/identifiers.ts';
import { add, type Micro, micro, notional, scale, subtract, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { Instrument, Marks } from '../market/instrument.ts';
import type { Fill } from '../order/order.ts';
import type { Portfolio, Position } from './portfolio.ts';
import { dollarsPerQuote } from './quote-rate.ts';

/**
 * The four postings of a fill in US dollars, debits positive; they sum to zero.
 * cash: what the cash account gains. holdings: what the cost of cash-settled positions gains (zero for margin).
 * realized: income, so a profit is negative. commission: an expense, positive.
 */
export type Booking = {
  readonly cash: Micro;
  readonly holdings: Micro;
  readonly realized: Micro;
  readonly commission: Micro;
};

export type AppliedFill = {
  readonly portfolio: Portfolio;
  readonly booking: Booking;
  /** Profit of the quantity that this fill closed, before commission: the booking's realized with its sign turned. */
  readonly realizedPnl: Micro;
};

/** Books one fill. `marks` are used only for the rate of a third currency. */
export function applyFill(
  portfolio: Portfolio,
  fill: Fill,
  instrument: Instrument,
  marks: Marks,
): AppliedFill {
  if (instrument.settlement === 'cash' && instrument.currency !== 'USD') {
    throw new RangeError(
      `${fill.symbol} is quoted in ${instrument.currency}: only dollar prices settle in cash`,
    );
  }
  const held = portfolio.positions.get(fill.symbol);
  const { units, price } = inUnitsOfNow(fill);
  const traded = quantity(fill.side === 'buy' ? units : -units);
  const change = changePosition(held, traded, price, instrument.multiplier);
  const rate = dollarsPerQuote(instrument, fill.price, marks);
  const toDollars = (amount: Micro) => (rate === 1 ? amount : scale(amount, rate));

  const profit = toDollars(change.profit);
  const holdings =
    instrument.settlement === 'cash' ? subtract(change.cost, held?.cost ?? ZERO_MICRO) : ZERO_MICRO;
  const cash = micro(profit - holdings - fill.commission);
  const positions = new Map(portfolio.positions);
  if (change.quantity === 0) positions.delete(fill.symbol);
  else positions.set(fill.symbol, { symbol: fill.symbol, quantity: change.quantity, cost: change.cost });
  return {
    portfolio: {
      cash: add(portfolio.cash, cash),
      positions,
      realized: micro(portfolio.realized + profit - fill.commission),
    },
    booking: { cash, holdings, realized: micro(-profit), commission: fill.commission },
    realizedPnl: profit,
  };
}

/** A fill in the units of a portfolio to which every split since then has been applied. */
export function inUnitsOfNow({ quantity: filled, price, splitRatio = 1 }: Fill): {
  readonly units: Quantity;
  readonly price: number;
} {
  if (splitRatio === 1) return { units: filled, price };
  return { units: quantity(roundHalfEven(filled * splitRatio)), price: price / splitRatio };
}

export type PositionChange = {
  readonly quantity: Quantity;
  /** Of the new quantity, signed like it, in the quote currency. */
  readonly cost: Micro;
  /** Of the closed quantity, in the quote currency. */
  readonly profit: Micro;
};

/** The change of a position by a signed trade, in the quote currency. Exact: cost and profit add up to what was paid. */
export function changePosition(
  held: Pick<Position, 'quantity' | 'cost'> | undefined,
  traded: Quantity,
  price: number,
  multiplier: number,
): PositionChange {
  const paid = notional(traded, price, multiplier);
  if (held === undefined) return { quantity: traded, cost: paid, profit: ZERO_MICRO };
  const after = quantity(held.quantity + traded);
  if (Math.sign(held.quantity) === Math.sign(traded)) {
    return { quantity: after, cost: add(held.cost, paid), profit: ZERO_MICRO };
  }
  if (after === 0 || Math.sign(after) === Math.sign(traded)) {
    const opened = notional(after, price, multiplier);
    return { quantity: after, cost: opened, profit: micro(opened - paid - held.cost) };
  }
  const cost = micro(roundHalfEven((held.cost * after) / held.quantity));
  return { quantity: after, cost, profit: micro(cost - held.cost - paid) };
}

export const EMPTY_POSITIONS: ReadonlyMap<Symbol, Position> = new Map();

/** A portfolio that holds only its first cash. */
export function openPortfolio(cash: Micro): Portfolio {
  return { cash, positions: EMPTY_POSITIONS, realized: ZERO_MICRO };
}
