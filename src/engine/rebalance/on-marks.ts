// Prices moved: the freeze, margin requirements and every position's stop loss are checked at the new marks. Margin
// calls and stop losses only ever close.
import type { Symbol } from '#units/identifiers.ts';
import { quantity } from '#units/quantity.ts';
import type { DeploymentState, Notice, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent } from '../event.ts';
import { parseOption } from '../market/option-contract.ts';
import { MARGIN_CAUSE, STOP_LOSS_CAUSE } from '../order/order-causes.ts';
import type { Position } from '../portfolio/portfolio.ts';
import { uncoveredCalls } from '../risk/cover.ts';
import { closedForMargin } from '../risk/margin.ts';
import { lossPercent, passesStopLoss } from '../risk/stop-loss.ts';
import { revalue } from './revalue.ts';
import { type OrderBuilder, openBuilder, stateOf, type OrderProposal, writeOrder } from './order-builder.ts';

export type MarkEvent = Extract<EngineEvent, { type: 'mark' }>;

export function onMarks(state: DeploymentState, event: MarkEvent, terms: TradingTerms): StepResult {
  const revalued = revalue(state, event.at, event.marks, terms);
  const seen = { state: revalued.state, orders: [], refusals: [], notices: revalued.notices };
  const { positions } = state.portfolio;
  if (state.permission === 'none' || positions.size === 0) return seen;
  const { marks } = revalued.state;
  const { instruments } = terms;
  const called = closedForMargin(state.portfolio, revalued.value.equity, { marks, instruments });
  const uncovered = uncoveredCalls(state.portfolio, instruments);
  if (state.limits.stopLossPercentage <= 0 && called.length + uncovered.length === 0) return seen;
  const builder = openBuilder(revalued.state, revalued.value, terms);
  const notices: Notice[] = [...revalued.notices];
  const stoppedOut = new Map<Symbol, 'long' | 'short'>(state.stoppedOut);
  for (const symbol of called) {
    const exit = { purpose: 'margin_call', cause: MARGIN_CAUSE, at: event.at } as const;
    if (!closeWhole(builder, symbol, exit)) continue;
    notices.push({ type: 'margin_call', symbol });
    stoppedOut.set(symbol, positions.get(symbol)!.quantity > 0 ? 'long' : 'short');
  }
  for (const { symbol, contracts } of uncovered) {
    if (builder.working.has(symbol)) continue;
    const before = builder.orders.length;
    const exit = { purpose: 'margin_call', cause: MARGIN_CAUSE, at: event.at } as const;
    close(builder, { symbol, quantity: quantity(-contracts) }, exit);
    if (builder.orders.length > before) notices.push({ type: 'margin_call', symbol });
  }
  for (const position of state.limits.stopLossPercentage > 0 ? positions.values() : []) {
    const { symbol } = position;
    const instrument = instruments.get(symbol)!;
    const loss = lossPercent(position, marks.get(symbol)!, instrument);
    // The option of a structure is judged with its underlying: a premium that doubles is not a loss of the whole
    // position.
    if (instrument.kind === 'options' || !passesStopLoss(state.limits, loss)) continue;
    const exit = { purpose: 'stop_loss', cause: STOP_LOSS_CAUSE, at: event.at } as const;
    if (!closeWhole(builder, symbol, exit)) continue;
    if (!stoppedOut.has(symbol)) notices.push({ type: 'stop_loss', symbol, lossPercent: loss });
    stoppedOut.set(symbol, position.quantity > 0 ? 'long' : 'short');
  }
  return {
    state: { ...stateOf(builder), stoppedOut },
    orders: builder.orders,
    refusals: builder.refusals,
    notices,
  };
}

type Exit = Pick<OrderProposal, 'purpose' | 'cause' | 'at'>;

/** Orders a position closed, and the options on it; false when an order works already or none was approved. */
function closeWhole(builder: OrderBuilder, symbol: Symbol, exit: Exit): boolean {
  if (builder.working.has(symbol)) return false;
  const before = builder.orders.length;
  close(builder, builder.before.portfolio.positions.get(symbol)!, exit);
  if (builder.orders.length === before) return false;
  closeOptionsOn(builder, symbol, exit);
  return true;
}

function close(
  builder: OrderBuilder,
  { symbol, quantity: held }: Pick<Position, 'symbol' | 'quantity'>,
  exit: Exit,
): void {
  writeOrder(builder, {
    ...exit,
    instrument: builder.terms.instruments.get(symbol)!,
    traded: -held,
    referencePrice: builder.before.marks.get(symbol)!,
  });
}

/** Options on a closed instrument lose their cover and are closed with it. */
function closeOptionsOn(builder: OrderBuilder, underlying: Symbol, exit: Exit): void {
  for (const position of builder.before.portfolio.positions.values()) {
    if (parseOption(position.symbol)?.underlying === underlying) close(builder, position, exit);
  }
}
