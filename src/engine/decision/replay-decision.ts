// A recorded decision made again by this engine, and where it comes out otherwise. The server's records go in as they
// were answered; nothing here asks anybody.
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { TargetWeight } from '../event.ts';
import { canonicalJson } from '../evidence/canonical-json.ts';
import type { Instrument } from '../market/instrument.ts';
import type { Side } from '../order/order.ts';
import { tradingTerms } from '../risk/trading-terms.ts';
import { step } from '../step.ts';
import type { ScoreColumns } from '../model/score-columns.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import { evaluate, type EvaluationReceipt, type Target } from '../strategy/evaluate.ts';
import type { SeriesBySymbol } from '../strategy/feature-column.ts';
import type { Sizing } from './sizing.ts';
import { type DecisionRecord, recordedState } from './decision-record.ts';

export type RecordedOrderOfDecision = {
  readonly clientOrderId: string;
  readonly symbol: Symbol;
  readonly side: Side;
  /** Whole 1e-8 units. */
  readonly quantity: number;
  readonly limitPrice: number;
};

export type RecordedDecision = {
  readonly deploymentId: DeploymentId;
  readonly at: Instant;
  readonly target: { readonly id: string; readonly weights: readonly TargetWeight[] };
  readonly record: DecisionRecord;
  /** Of that moment alone: what followed later belongs to later receipts. */
  readonly orders: readonly RecordedOrderOfDecision[];
  readonly refusals: readonly unknown[];
  /** Of everything that was sized. */
  readonly instruments: readonly Instrument[];
};

export type RecordedTarget = {
  readonly hash: string;
  readonly receipt: Pick<EvaluationReceipt, 'instruments'>;
};

export type ReplayPart = 'target' | 'reasons' | 'sizes' | 'orders' | 'refusals';
/** `symbol` is the first that comes out otherwise, where it is about one. */
export type Difference = { readonly part: ReplayPart; readonly symbol: Symbol | null };

/** What the strategy's evaluation gives now against what is recorded. */
function compareTarget(recorded: RecordedTarget, again: Target): Difference[] {
  const found: Difference[] = [];
  if (recorded.hash !== again.hash) found.push({ part: 'target', symbol: null });
  const symbol = firstOther(recorded.receipt.instruments, again.receipt.instruments);
  if (symbol !== undefined) found.push({ part: 'reasons', symbol });
  return found;
}

/** Makes the deployment's step again; every difference, or none. */
export function replayDecision(decision: RecordedDecision): Difference[] {
  const { deploymentId, at, target, record, orders, refusals } = decision;
  const termsOf = new Map(record.sizings.map(({ symbol, terms }) => [symbol, terms]));
  // A backtest's instrument says nothing of terms; here they are what was said then.
  const instruments = new Map(
    decision.instruments.map((instrument): [Symbol, Instrument] => {
      const said = termsOf.get(instrument.symbol);
      return [instrument.symbol, said === undefined ? instrument : { ...instrument, terms: said }];
    }),
  );
  const state = recordedState(record, deploymentId);
  const trace = { sizings: [] as Sizing[] };
  const event = { type: 'target', at, id: target.id, weights: target.weights, marks: state.marks } as const;
  const again = step(state, event, tradingTerms(instruments), trace);
  const ordered = again.orders.map(({ clientOrderId, symbol, side, quantity, limitPrice }) => ({
    clientOrderId,
    symbol,
    side,
    quantity,
    limitPrice,
  }));
  const bySymbol = (one: { readonly symbol: Symbol }, other: { readonly symbol: Symbol }) =>
    one.symbol < other.symbol ? -1 : one.symbol > other.symbol ? 1 : 0;
  const parts: [ReplayPart, readonly unknown[], readonly unknown[]][] = [
    ['sizes', record.sizings, trace.sizings],
    ['orders', orders.toSorted(bySymbol), ordered.toSorted(bySymbol)],
    ['refusals', refusals, again.refusals],
  ];
  return parts.flatMap(([part, before, now]) => {
    const symbol = firstOther(before, now);
    return symbol === undefined ? [] : [{ part, symbol }];
  });
}

/** The whole: the strategy's evaluation over the bars of its day, then this deployment's step. */
export function replayWhole(
  target: RecordedTarget & { readonly asOf: Instant },
  decision: RecordedDecision,
  {
    definition,
    series,
    scores,
  }: {
    readonly definition: StrategyDefinition;
    readonly series: SeriesBySymbol;
    readonly scores: ScoreColumns;
  },
): Difference[] {
  const again = evaluate(definition, series, target.asOf, scores);
  return [...compareTarget(target, again), ...replayDecision(decision)];
}

/** Undefined when all are equal. */
function firstOther(before: readonly unknown[], now: readonly unknown[]): Symbol | null | undefined {
  for (let i = 0; i < Math.max(before.length, now.length); i++) {
    if (canonicalJson(before[i] ?? null) === canonicalJson(now[i] ?? null)) continue;
    const named = (before[i] ?? now[i]) as { readonly symbol?: Symbol };
    return named.symbol ?? null;
  }
  return undefined;
}
