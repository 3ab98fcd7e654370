// Applies an adjustment to a portfolio. An execution is reversed as it was booked: its quantity, its cost and its
// realised profit are taken out, so that what remains keeps its cost. Promises a double entry, and that cash and cost
// together change by exactly what was paid. Units that are no longer held are not taken out.
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { add, type Micro, micro, notional, scale, subtract, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { withoutShortfall, type Adjustment } from '../market/adjustment.ts';
import type { Instrument, Marks } from '../market/instrument.ts';
import { type AppliedFill, applyFill, changePosition, type PositionChange } from './apply-fill.ts';
import type { Portfolio, Position } from './portfolio.ts';
import { dollarsPerQuote } from './quote-rate.ts';

export type AppliedAdjustment = AppliedFill & {
  /** What booking the new execution realised, before commission: reversing that one would take it back. */
  readonly bookedProfit: Micro;
};

export function applyAdjustment(
  portfolio: Portfolio,
  adjustment: Adjustment,
  { instrument, marks, at }: { readonly instrument: Instrument; readonly marks: Marks; readonly at: Instant },
): AppliedAdjustment {
  const { symbol } = adjustment;
  const { undoes, books } = withoutShortfall(adjustment);
  const without =
    undoes === null ? unchanged(portfolio) : undo(portfolio, { symbol, undoes }, instrument, marks);
  if (books === null || books.units === 0) return { ...without, bookedProfit: ZERO_MICRO };
  const { units, price, commission } = books;
  const side = units > 0 ? 'buy' : 'sell';
  const fill = {
    clientOrderId: NO_ORDER,
    symbol,
    side,
    quantity: quantity(Math.abs(units)),
    price,
    commission,
    at,
  } as const;
  const booked = applyFill(without.portfolio, fill, instrument, marks);
  return {
    portfolio: booked.portfolio,
    booking: {
      cash: add(without.booking.cash, booked.booking.cash),
      holdings: add(without.booking.holdings, booked.booking.holdings),
      realized: add(without.booking.realized, booked.booking.realized),
      commission: add(without.booking.commission, booked.booking.commission),
    },
    realizedPnl: add(without.realizedPnl, booked.realizedPnl),
    bookedProfit: booked.realizedPnl,
  };
}

type Undone = { readonly symbol: Symbol; readonly undoes: NonNullable<Adjustment['undoes']> };

function undo(
  portfolio: Portfolio,
  { symbol, undoes }: Undone,
  instrument: Instrument,
  marks: Marks,
): AppliedFill {
  const held = portfolio.positions.get(symbol);
  const rate = dollarsPerQuote(instrument, undoes.price, marks);
  const change = withoutTrade(
    held,
    { ...undoes, profit: inQuote(undoes.profit, rate) },
    instrument.multiplier,
  );
  const profit = rate === 1 ? change.profit : scale(change.profit, rate);
  const holdings =
    instrument.settlement === 'cash' ? subtract(change.cost, held?.cost ?? ZERO_MICRO) : ZERO_MICRO;
  const cash = micro(profit - holdings + undoes.commission);
  const positions = new Map(portfolio.positions);
  if (change.quantity === 0) positions.delete(symbol);
  else positions.set(symbol, { symbol, quantity: change.quantity, cost: change.cost });
  return {
    portfolio: {
      cash: add(portfolio.cash, cash),
      positions,
      realized: micro(portfolio.realized + profit + undoes.commission),
    },
    booking: { cash, holdings, realized: micro(-profit), commission: micro(-undoes.commission) },
    realizedPnl: profit,
  };
}

/**
 * In the quote currency. Later trades may leave a position that cannot have the remaining cost: then the execution is
 * taken out as if it had been traded back at its own price, and the result offsets the profit that it had made.
 */
function withoutTrade(
  held: Position | undefined,
  { units, price, profit }: { readonly units: Quantity; readonly price: number; readonly profit: Micro },
  multiplier: number,
): PositionChange {
  const back = quantity(-units);
  const paid = notional(back, price, multiplier);
  const before = held ?? { quantity: 0, cost: ZERO_MICRO };
  const after = quantity(before.quantity + back);
  if (after === 0) return { quantity: after, cost: ZERO_MICRO, profit: micro(-before.cost - paid) };
  const cost = micro(before.cost + paid - profit);
  const staysOnItsSide = before.quantity === 0 || Math.sign(before.quantity) === Math.sign(after);
  if (staysOnItsSide && Math.sign(cost) === Math.sign(after))
    return { quantity: after, cost, profit: micro(-profit) };
  return changePosition(held, back, price, multiplier);
}

const inQuote = (dollars: Micro, rate: number): Micro => (rate === 1 ? dollars : scale(dollars, 1 / rate));

function unchanged(portfolio: Portfolio): AppliedFill {
  const booking = { cash: ZERO_MICRO, holdings: ZERO_MICRO, realized: ZERO_MICRO, commission: ZERO_MICRO };
  return { portfolio, booking, realizedPnl: ZERO_MICRO };
}

/** An adjustment belongs to no order. */
const NO_ORDER = '' as ClientOrderId;
