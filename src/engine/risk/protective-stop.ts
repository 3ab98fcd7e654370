// The day order that works at the broker for one position, in case the product cannot watch its stop loss. It promises to
// close no more than the position, and to trigger beyond the stop loss, so that the product acts first when it is
// watching.
import { fromMicro, ZERO_MICRO } from '#units/money.ts';
import { fromQuantity, type Quantity, quantity } from '#units/quantity.ts';
import type { Instant } from '#units/instant.ts';
import type { DeploymentState } from '../deployment-state.ts';
import type { Instrument } from '../market/instrument.ts';
import { parseOption } from '../market/option-contract.ts';
import { quotedBeyond } from '../order/limit-price.ts';
import type { OrderDraft, Side } from '../order/order.ts';
import type { Portfolio, Position } from '../portfolio/portfolio.ts';
import { type Approval, approve } from './approve.ts';
import type { Limits } from './limits.ts';

export type ProtectiveStop = {
  readonly side: Side;
  /** The whole position. */
  readonly quantity: Quantity;
  /** The price that triggers it: beyond the stop loss, and on a price that can be quoted. */
  readonly price: number;
  readonly cause: string;
};

/** Null where none is wanted: no stop loss, an option, shares that cover options, or a price below the smallest. */
export function protectiveStop(
  position: Position,
  instrument: Instrument,
  { limits, portfolio }: { readonly limits: Limits; readonly portfolio: Pick<Portfolio, 'positions'> },
): ProtectiveStop | null {
  const { stopLossPercentage } = limits;
  if (stopLossPercentage <= 0 || position.quantity === 0 || instrument.kind === 'options') return null;
  // What covers options is closed together with them, which one order at the broker cannot do.
  for (const { symbol } of portfolio.positions.values())
    if (parseOption(symbol)?.underlying === position.symbol) return null;
  const isLong = position.quantity > 0;
  const units = Math.abs(fromQuantity(position.quantity)) * instrument.multiplier;
  const averageCost = Math.abs(fromMicro(position.cost)) / units;
  const beyond = isLong
    ? (1 - stopLossPercentage / 100) * (1 - BEYOND)
    : (1 + stopLossPercentage / 100) * (1 + BEYOND);
  // Away from the market, so that rounding never brings it nearer.
  const price = quotedBeyond(averageCost * beyond, isLong ? 'down' : 'up', instrument);
  if (!(price > 0)) return null;
  const side = isLong ? 'sell' : 'buy';
  return {
    side,
    quantity: quantity(Math.abs(position.quantity)),
    price,
    cause: protectiveCause(stopLossPercentage),
  };
}

/** The same limit gives the same cause; another limit is another decision. */
export function protectiveCause(stopLossPercentage: number): string {
  return `protective-stop:${stopLossPercentage}`;
}

/** Whether the market is far enough away to place the order: one that triggers at once is no second line. */
export function canPlaceStop(stop: Pick<ProtectiveStop, 'side' | 'price'>, mark: number): boolean {
  return stop.side === 'sell' ? stop.price < mark * (1 - BEYOND) : stop.price > mark * (1 + BEYOND);
}

export type WorkingStop = { readonly side: Side; readonly remaining: number; readonly price: number };

/** Whether a stop at the broker could close more than there is. */
export function closesTooMuch(working: WorkingStop, stop: ProtectiveStop): boolean {
  return working.side !== stop.side || working.remaining > stop.quantity;
}

/** Whether a working stop is still the one wanted. */
export function isInStep(working: WorkingStop, stop: ProtectiveStop): boolean {
  if (closesTooMuch(working, stop) || working.remaining < stop.quantity) return false;
  return Math.abs(working.price - stop.price) <= stop.price * TOLERANCE;
}

export function approveStop(
  stop: ProtectiveStop,
  question: {
    readonly state: DeploymentState;
    readonly instrument: Instrument;
    readonly mark: number;
    readonly attempt: number;
    readonly at: Instant;
  },
): Approval {
  const { state, instrument, mark, attempt, at } = question;
  const { symbol } = instrument;
  const draft: OrderDraft = {
    symbol,
    side: stop.side,
    quantity: stop.quantity,
    limitPrice: stop.price,
    referencePrice: mark,
    purpose: 'protective',
    cause: stop.cause,
    decidedAt: at,
  };
  // It only ever reduces, so that it needs no budget. And it is alone at the broker for its position: an order that
  // waits for something else, or was refused, closes nothing at the same time.
  const alone = { working: [], budget: NOTHING, claim: NOTHING };
  return approve(draft, { state, instrument, attempt, ...alone });
}

const NOTHING = { cash: ZERO_MICRO, exposure: ZERO_MICRO };
/** How far beyond the stop loss it is, and how far from the market at least: one percent. */
const BEYOND = 0.01;
/** A price that has moved by less than half a percent is left as it is. */
const TOLERANCE = 0.005;
