// The half of the engine that runs for each deployment: (state, event) gives (state, approved orders, receipt).
// Pure and total: the backtest, the rehearsal and the live trader call this same function.
import type { DeploymentState, StepResult, TradingTerms } from './deployment-state.ts';
import type { EngineEvent } from './event.ts';
import { resizeExit } from './rebalance/resize-exit.ts';
import { onOrderEnded, onFill } from './rebalance/on-fill.ts';
import { rebalance } from './rebalance/rebalance.ts';
import { liquidate } from './rebalance/liquidate.ts';
import { onPositionEvent } from './rebalance/on-position-event.ts';
import { onMarks } from './rebalance/on-marks.ts';
import type { DecisionTrace } from './decision/sizing.ts';

export type {
  DeploymentState,
  StepResult,
  TradingTerms,
} from './deployment-state.ts';

/** `trace` is filled with how a target was sized, where somebody keeps a receipt. */
export type Step = (
  state: DeploymentState,
  event: EngineEvent,
  terms: TradingTerms,
  trace?: DecisionTrace,
) => StepResult;

export const step: Step = (state, event, terms, trace) => {
  switch (event.type) {
    case 'target':
      return rebalance(state, event, terms, trace);
    case 'mark':
      return onMarks(state, event, terms);
    case 'fill':
      return onFill(state, event, terms);
    case 'order_ended':
      return onOrderEnded(state, event, terms);
    case 'resize_exit':
      return resizeExit(state, event, terms);
    case 'position_event':
      return onPositionEvent(state, event, terms);
    case 'liquidate':
      return liquidate(state, event, terms);
  }
};
