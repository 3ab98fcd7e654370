// Closes everything: a stop or an approved liquidation. The target is dropped, so that nothing is bought again.
import type { DeploymentState, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent } from '../event.ts';
import { revalue } from './revalue.ts';
import { openBuilder, refuse, stateOf, writeOrder } from './order-builder.ts';

export type LiquidateEvent = Extract<EngineEvent, { type: 'liquidate' }>;

export function liquidate(state: DeploymentState, event: LiquidateEvent, terms: TradingTerms): StepResult {
  const revalued = revalue({ ...state, target: null }, event.at, event.marks, terms);
  const builder = openBuilder(revalued.state, revalued.value, terms);
  for (const position of state.portfolio.positions.values()) {
    const { symbol } = position;
    if (state.working.some((one) => one.symbol === symbol)) {
      refuse(builder, symbol, { code: 'closes_after_order' });
      continue;
    }
    writeOrder(builder, {
      instrument: terms.instruments.get(symbol)!,
      traded: -position.quantity,
      referencePrice: revalued.state.marks.get(symbol)!,
      purpose: 'liquidation',
      cause: event.id,
      at: event.at,
    });
  }
  return {
    state: stateOf(builder),
    orders: builder.orders,
    refusals: builder.refusals,
    notices: revalued.notices,
  };
}
