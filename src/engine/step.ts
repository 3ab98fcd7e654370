// The half of the engine that runs for each deployment: (state, event) gives (state, approved orders, receipt).
// Pure and total: the backtest, the rehearsal and the live trader call this same function.
import type { DeploymentState, StepResult, TradingTerms } from './deployment-state.ts';
import type { EngineEvent } from './event.ts';
import { cutExit } from './reactions/cut-exit.ts';
import { endOrder, takeFill } from './reactions/take-fill.ts';
import { followTarget } from './reactions/follow-target.ts';
import { liquidate } from './reactions/liquidate.ts';
import { takePositionEvent } from './reactions/take-position-event.ts';
import { takeMarks } from './reactions/take-marks.ts';

export type {
  DeploymentState,
  Notice,
  StepResult,
  TradingTerms,
} from './deployment-state.ts';

export type Step = (state: DeploymentState, event: EngineEvent, terms: TradingTerms) => StepResult;

export const step: Step = (state, event, terms) => {
  switch (event.type) {
    case 'target':
      return followTarget(state, event, terms);
    case 'mark':
      return takeMarks(state, event, terms);
    case 'fill':
      return takeFill(state, event, terms);
    case 'order_ended':
      return endOrder(state, event, terms);
    case 'exit_cut':
      return cutExit(state, event, terms);
    case 'position_event':
      return takePositionEvent(state, event, terms);
    case 'liquidate':
      return liquidate(state, event, terms);
  }
};
