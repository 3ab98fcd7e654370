// Prices moved: the freeze and every position's stop loss are looked at. A stop loss only ever closes.
import type { Symbol } from '#units/identifiers.ts';
import type { DeploymentState, Notice, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent } from '../event.ts';
import { lossPercent, passesStopLoss } from '../risk/stop-loss.ts';
import { lookAtMarks } from './look-at-marks.ts';
import { openPad, stateOf, writeOrder } from './order-pad.ts';

export type MarkEvent = Extract<EngineEvent, { type: 'mark' }>;

/** The cause of every stop-loss order; the attempt counts them per instrument. */
export const STOP_LOSS_CAUSE = 'stop-loss';

export function takeMarks(state: DeploymentState, event: MarkEvent, terms: TradingTerms): StepResult {
  const looked = lookAtMarks(state, event.at, event.marks, terms);
  if (
    state.limits.stopLossPercent <= 0 ||
    state.permission === 'none' ||
    state.portfolio.positions.size === 0
  ) {
    return { state: looked.state, orders: [], refusals: [], notices: looked.notices };
  }
  const pad = openPad(looked.state, looked.value, terms);
  const notices: Notice[] = [...looked.notices];
  const stoppedOut = new Map<Symbol, 'long' | 'short'>(state.stoppedOut);
  for (const position of state.portfolio.positions.values()) {
    const { symbol } = position;
    const instrument = terms.instruments.get(symbol)!;
    const mark = looked.state.marks.get(symbol)!;
    const loss = lossPercent(position, mark, instrument);
    if (!passesStopLoss(state.limits, loss) || state.working.some((one) => one.symbol === symbol)) continue;
    const before = pad.orders.length;
    writeOrder(pad, {
      instrument,
      traded: -position.quantity,
      referencePrice: mark,
      purpose: 'stop_loss',
      cause: STOP_LOSS_CAUSE,
      at: event.at,
    });
    if (pad.orders.length === before) continue;
    if (!stoppedOut.has(symbol)) notices.push({ type: 'stop_loss', symbol, lossPercent: loss });
    stoppedOut.set(symbol, position.quantity > 0 ? 'long' : 'short');
  }
  return { state: { ...stateOf(pad), stoppedOut }, orders: pad.orders, refusals: pad.refusals, notices };
}
