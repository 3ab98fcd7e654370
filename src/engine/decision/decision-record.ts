// What a decision on a target was made from, besides the target: kept once for each deployment and decision, so that
// anybody can make it again. Plain data, kept as JSON; what is empty is left out.
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { DeploymentState } from '../deployment-state.ts';
import type { Marks } from '../market/instrument.ts';
import type { WorkingOrder } from '../order/order.ts';
import type { Position } from '../portfolio/portfolio.ts';
import type { Sizing } from './sizing.ts';

export type DecisionRecord = Pick<DeploymentState, 'permission' | 'allowsShort' | 'limits'> & {
  readonly sizing?: DeploymentState['sizing'];
  readonly reaction?: DeploymentState['reaction'];
  readonly cash: Micro;
  readonly realized: Micro;
  readonly withdrawing?: Micro;
  readonly peakEquity: Micro;
  readonly frozenAt?: Instant;
  readonly stoppedOut?: { readonly [symbol: string]: 'long' | 'short' };
  readonly working?: readonly WorkingOrder[];
  /** By attemptKey. */
  readonly attempts?: { readonly [key: string]: number };
  readonly sizings: readonly Sizing[];
};

/** `state` is the one that the decision found. */
export function decisionRecord(state: DeploymentState, sizings: readonly Sizing[]): DecisionRecord {
  const { permission, allowsShort, limits, sizing, reaction, portfolio, withdrawing, peakEquity, frozenAt } =
    state;
  const { stoppedOut, working, attempts } = state;
  return {
    permission,
    allowsShort,
    limits,
    ...(sizing && { sizing }),
    ...(reaction && { reaction }),
    cash: portfolio.cash,
    realized: portfolio.realized,
    ...(withdrawing !== undefined && { withdrawing }),
    peakEquity,
    ...(frozenAt !== null && { frozenAt }),
    ...(stoppedOut.size > 0 && { stoppedOut: Object.fromEntries(stoppedOut) }),
    ...(working.length > 0 && { working }),
    ...(attempts.size > 0 && { attempts: Object.fromEntries(attempts) }),
    sizings,
  };
}

/** The state as it was found: what is held is sized in every decision, so the sizings name all of it. */
export function recordedState(record: DecisionRecord, deploymentId: DeploymentId): DeploymentState {
  const { permission, allowsShort, limits, sizing, reaction, cash, realized, withdrawing, peakEquity } =
    record;
  const { sizings } = record;
  const positions = new Map<Symbol, Position>();
  const marks = new Map<Symbol, number>();
  for (const { symbol, mark, held, cost } of sizings) {
    if (mark !== null) marks.set(symbol, mark);
    if (held !== 0) positions.set(symbol, { symbol, quantity: held, cost });
  }
  return {
    deploymentId,
    permission,
    allowsShort,
    limits,
    ...(sizing && { sizing }),
    ...(reaction && { reaction }),
    portfolio: { cash, positions, realized },
    ...(withdrawing !== undefined && { withdrawing }),
    marks: marks satisfies Marks,
    peakEquity,
    frozenAt: record.frozenAt ?? null,
    stoppedOut: new Map(Object.entries(record.stoppedOut ?? {}) as [Symbol, 'long' | 'short'][]),
    working: record.working ?? [],
    target: null,
    attempts: new Map(Object.entries(record.attempts ?? {})),
  };
}
