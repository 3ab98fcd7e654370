// Close everything: a stop or an approved liquidation. The target is let go, so that nothing is bought again.
import type { DeploymentState, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent } from '../event.ts';
import { lookAtMarks } from './look-at-marks.ts';
import { openPad, refuse, stateOf, writeOrder } from './order-pad.ts';

export type LiquidateEvent = Extract<EngineEvent, { type: 'liquidate' }>;

export function liquidate(state: DeploymentState, event: LiquidateEvent, terms: TradingTerms): StepResult {
  const looked = lookAtMarks({ ...state, target: null }, event.at, event.marks, terms);
  const pad = openPad(looked.state, looked.value, terms);
  for (const position of state.portfolio.positions.values()) {
    const { symbol } = position;
    if (state.working.some((one) => one.symbol === symbol)) {
      refuse(
        pad,
        symbol,
        'order_working',
        'an earlier order is still open; it is closed after that one has ended.',
      );
      continue;
    }
    writeOrder(pad, {
      instrument: terms.instruments.get(symbol)!,
      traded: -position.quantity,
      referencePrice: looked.state.marks.get(symbol)!,
      purpose: 'liquidation',
      cause: event.id,
      at: event.at,
    });
  }
  return { state: stateOf(pad), orders: pad.orders, refusals: pad.refusals, notices: looked.notices };
}
