// The account holds less than an exit would close: what is there is closed all the same, the rest when it is there.
import { quantity } from '#units/quantity.ts';
import type { DeploymentState, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent } from '../event.ts';
import { lookAtMarks, NO_MARKS } from './look-at-marks.ts';
import { openPad, stateOf, writeOrder } from './order-pad.ts';

export type ExitCutEvent = Extract<EngineEvent, { type: 'exit_cut' }>;

/** Nothing follows when less than a step of trading is there, all of it is, or the order is no exit that works. */
export function cutExit(state: DeploymentState, event: ExitCutEvent, terms: TradingTerms): StepResult {
  const order = state.working.find(({ clientOrderId }) => clientOrderId === event.clientOrderId);
  const instrument = order && terms.instruments.get(order.symbol);
  const mark = order && state.marks.get(order.symbol);
  const nothing = { state, orders: [], refusals: [], notices: [] };
  if (order === undefined || instrument === undefined || mark === undefined) return nothing;
  if (order.purpose === 'rebalance' || order.purpose === 'protective') return nothing;
  const units = Math.floor(event.there / instrument.quantityStep) * instrument.quantityStep;
  if (units <= 0 || units >= order.remaining) return nothing;
  const working = state.working.filter((one) => one !== order);
  const looked = lookAtMarks({ ...state, working }, event.at, NO_MARKS, terms);
  const pad = openPad(looked.state, looked.value, terms);
  writeOrder(pad, {
    instrument,
    traded: quantity(order.side === 'sell' ? -units : units),
    referencePrice: mark,
    purpose: order.purpose,
    cause: event.cause,
    at: event.at,
  });
  if (pad.orders.length === 0) return { ...nothing, refusals: pad.refusals };
  return { state: stateOf(pad), orders: pad.orders, refusals: pad.refusals, notices: looked.notices };
}
