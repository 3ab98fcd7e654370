// Applies new marks to equity, its peak and the drawdown freeze. Places no order.
import type { Instant } from '#units/instant.ts';
import type { DeploymentState, Notice, TradingTerms } from '../deployment-state.ts';
import type { Marks } from '../market/instrument.ts';
import { type PortfolioValue, valuePortfolio } from '../portfolio/value.ts';
import { drawdownPercent, passesFreeze } from '../risk/freeze.ts';

export type Revalued = {
  readonly state: DeploymentState;
  readonly value: PortfolioValue;
  readonly notices: readonly Notice[];
};

/** For an event that tells of no prices. */
export const NO_MARKS: Marks = new Map();

/** Marks that the event does not name, or that are invalid, keep their last value. */
export function revalue(state: DeploymentState, at: Instant, marks: Marks, terms: TradingTerms): Revalued {
  const known = marks.size === 0 ? state.marks : mergeMarks(state.marks, marks);
  const value = valuePortfolio(state.portfolio, known, terms.instruments);
  const peakEquity = value.equity > state.peakEquity ? value.equity : state.peakEquity;
  const drawdown = drawdownPercent(peakEquity, value.equity);
  const freezes = state.frozenAt === null && passesFreeze(state.limits, drawdown);
  return {
    state: { ...state, marks: known, peakEquity, frozenAt: freezes ? at : state.frozenAt },
    value,
    notices: freezes ? [{ type: 'frozen', drawdownPercent: drawdown }] : [],
  };
}

function mergeMarks(old: Marks, fresh: Marks): Marks {
  let whole = true;
  for (const price of fresh.values()) whole &&= isPrice(price);
  for (const symbol of old.keys()) whole &&= fresh.has(symbol);
  return whole ? fresh : new Map([...old, ...[...fresh].filter(([, price]) => isPrice(price))]);
}

function isPrice(value: number): boolean {
  return value > 0 && value < Number.POSITIVE_INFINITY;
}
