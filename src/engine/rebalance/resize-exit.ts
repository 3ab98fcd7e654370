// The account holds less than an exit would close: the available quantity is closed now, the rest once it is available.
import { quantity } from '#units/quantity.ts';
import type { DeploymentState, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent } from '../event.ts';
import { stepOf } from '../risk/sizing-limits.ts';
import { revalue, NO_MARKS } from './revalue.ts';
import { openBuilder, stateOf, writeOrder } from './order-builder.ts';

export type ResizeExitEvent = Extract<EngineEvent, { type: 'resize_exit' }>;

/**
 * Changes nothing when less than one quantity step is available, when all of it is, or when the order is not a working
 * exit.
 */
export function resizeExit(state: DeploymentState, event: ResizeExitEvent, terms: TradingTerms): StepResult {
  const order = state.working.find(({ clientOrderId }) => clientOrderId === event.clientOrderId);
  const instrument = order && terms.instruments.get(order.symbol);
  const mark = order && state.marks.get(order.symbol);
  const nothing = { state, orders: [], refusals: [], notices: [] };
  if (order === undefined || instrument === undefined || mark === undefined) return nothing;
  if (order.purpose === 'rebalance' || order.purpose === 'protective') return nothing;
  const step = stepOf(instrument, order.side === 'sell' ? 1 : -1, state.sizing);
  const units = Math.floor(event.available / step) * step;
  if (units <= 0 || units >= order.remaining) return nothing;
  const working = state.working.filter((one) => one !== order);
  const revalued = revalue({ ...state, working }, event.at, NO_MARKS, terms);
  const builder = openBuilder(revalued.state, revalued.value, terms);
  writeOrder(builder, {
    instrument,
    traded: quantity(order.side === 'sell' ? -units : units),
    referencePrice: mark,
    purpose: order.purpose,
    cause: event.cause,
    at: event.at,
  });
  if (builder.orders.length === 0) return { ...nothing, refusals: builder.refusals };
  return {
    state: stateOf(builder),
    orders: builder.orders,
    refusals: builder.refusals,
    notices: revalued.notices,
  };
}
