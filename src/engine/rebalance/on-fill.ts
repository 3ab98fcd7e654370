// Reports from the venue: a fill is booked, an ended order is dropped. Either may release further orders of the same
// target: the last sale pays for them, or the shares cover them.
import type { ClientOrderId } from '#units/identifiers.ts';
import { quantity } from '#units/quantity.ts';
import type { DeploymentState, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent } from '../event.ts';
import { parseOption } from '../market/option-contract.ts';
import { applyFill, inUnitsOfNow } from '../portfolio/apply-fill.ts';
import { resumeRebalance } from './rebalance.ts';

export type FillEvent = Extract<EngineEvent, { type: 'fill' }>;
export type OrderEndedEvent = Extract<EngineEvent, { type: 'order_ended' }>;

/** Throws RangeError when the instrument of a fill is unknown: a fill is never booked by guessing. */
export function onFill(state: DeploymentState, event: FillEvent, terms: TradingTerms): StepResult {
  const { fill } = event;
  const instrument = terms.instruments.get(fill.symbol);
  if (instrument === undefined) throw new RangeError(`a fill of an unknown instrument: ${fill.symbol}`);
  const { portfolio } = applyFill(state.portfolio, fill, instrument, state.marks);
  const marks = state.marks.has(fill.symbol)
    ? state.marks
    : new Map(state.marks).set(fill.symbol, inUnitsOfNow(fill).price);
  const working = state.working.flatMap((one) => {
    if (one.clientOrderId !== fill.clientOrderId) return [one];
    const remaining = quantity(Math.max(0, one.remaining - fill.quantity));
    return remaining === 0 ? [] : [{ ...one, remaining }];
  });
  const booked = { ...state, portfolio, marks, working };
  return releases(state, booked, fill.clientOrderId)
    ? resumeRebalance(booked, event.at, terms)
    : only(booked);
}

export function onOrderEnded(
  state: DeploymentState,
  event: OrderEndedEvent,
  terms: TradingTerms,
): StepResult {
  const working = state.working.filter((one) => one.clientOrderId !== event.clientOrderId);
  const ended = { ...state, working };
  return releases(state, ended, event.clientOrderId) ? resumeRebalance(ended, event.at, terms) : only(ended);
}

/**
 * Whether this event ended an order that reduced a position, or one that bought the underlying shares of a target's
 * option.
 */
function releases(before: DeploymentState, after: DeploymentState, id: ClientOrderId): boolean {
  const order = before.working.find((one) => one.clientOrderId === id);
  if (order === undefined || after.working.some((one) => one.clientOrderId === id)) return false;
  if (before.target?.weights.some(({ symbol }) => parseOption(symbol)?.underlying === order.symbol))
    return true;
  const held = before.portfolio.positions.get(order.symbol)?.quantity ?? 0;
  return order.side === 'sell' ? held > 0 : held < 0;
}

function only(state: DeploymentState): StepResult {
  return { state, orders: [], refusals: [], notices: [] };
}
