// Prices moved: the freeze and every position's stop loss are looked at. A stop loss only ever closes.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { DeploymentState, Notice, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent } from '../event.ts';
import { parseOption } from '../market/option-contract.ts';
import { lossPercent, passesStopLoss } from '../risk/stop-loss.ts';
import { lookAtMarks } from './look-at-marks.ts';
import { type OrderPad, openPad, stateOf, writeOrder } from './order-pad.ts';

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
    // An option of a structure stands and falls with its underlying: a premium that doubles is no loss of the whole.
    if (instrument.kind === 'options') continue;
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
    closeOptionsOn(pad, symbol, event.at);
  }
  return { state: { ...stateOf(pad), stoppedOut }, orders: pad.orders, refusals: pad.refusals, notices };
}

/** Without what covers them, options of a stopped-out instrument are closed with it. */
function closeOptionsOn(pad: OrderPad, underlying: Symbol, at: Instant): void {
  for (const { symbol, quantity } of pad.before.portfolio.positions.values()) {
    if (parseOption(symbol)?.underlying !== underlying) continue;
    writeOrder(pad, {
      instrument: pad.terms.instruments.get(symbol)!,
      traded: -quantity,
      referencePrice: pad.before.marks.get(symbol)!,
      purpose: 'stop_loss',
      cause: STOP_LOSS_CAUSE,
      at,
    });
  }
}
