// A holding changed without an order: the portfolio and the mark change together, so that equity moves only by what was
// paid. Nothing is ordered.
import type { DeploymentState, StepResult, TradingTerms } from '../deployment-state.ts';
import type { EngineEvent } from '../event.ts';
import { isDelivery } from '../market/position-event.ts';
import { applyPositionEvent } from '../portfolio/apply-position-event.ts';

export type PositionEngineEvent = Extract<EngineEvent, { type: 'position_event' }>;

/** Throws RangeError when the instrument is unknown. */
export function onPositionEvent(
  state: DeploymentState,
  { at, event, entitled }: PositionEngineEvent,
  terms: TradingTerms,
): StepResult {
  const { instruments } = terms;
  const applied = applyPositionEvent(state.portfolio, event, {
    instruments,
    marks: state.marks,
    at,
    entitled,
  });
  if (applied === null) return { state, orders: [], refusals: [], notices: [] };
  if (event.type === 'coin_fee')
    return { state: { ...state, portfolio: applied.portfolio }, orders: [], refusals: [], notices: [] };
  if (event.type === 'adjustment') {
    const { symbol, books, undoes } = event;
    const price = (books ?? undoes)?.price;
    const isPriced = state.marks.has(symbol) || price === undefined;
    const marks = isPriced ? state.marks : new Map(state.marks).set(symbol, price);
    return {
      state: { ...state, portfolio: applied.portfolio, marks },
      orders: [],
      refusals: [],
      notices: [],
    };
  }
  if (isDelivery(event)) {
    const { underlying, spot } = event;
    const marks = state.marks.has(underlying) ? state.marks : new Map(state.marks).set(underlying, spot);
    return {
      state: { ...state, portfolio: applied.portfolio, marks },
      orders: [],
      refusals: [],
      notices: [],
    };
  }
  const markAfter = event.type === 'expiry' ? event.price : event.markAfter;
  // Once traded in again, it has a newer mark than the one of that close.
  const isNow = entitled === undefined || entitled === state.portfolio.positions.get(event.symbol)?.quantity;
  const marks = markAfter > 0 && isNow ? new Map(state.marks).set(event.symbol, markAfter) : state.marks;
  return { state: { ...state, portfolio: applied.portfolio, marks }, orders: [], refusals: [], notices: [] };
}
