import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Instrument, Marks } from '#engine/market/instrument.ts';
import type { TradingTerms } from '#engine/deployment-state.ts';
import type { MarketMode } from '#ports/market-data.ts';
import type { Database } from '#records/postgres/database.ts';
import type { LatestTargets, TargetRecord } from '#records/strategies/targets.ts';
import type { StrategyVersionId, Symbol, TargetId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { TraderDependencies } from './dependencies.ts';
import type { BarCloses } from './market-data/bar-history.ts';
import type { CircuitBreaker } from './lifecycle/circuit-breaker.ts';
import type { ShardLease } from './leases/shard-lease.ts';
import type { TickReport } from './tick-report.ts';
import type { TradedVersion } from './strategies/traded-version.ts';

/** What every part of one tick sees: one clock reading, one set of prices. */
export type TradingContext = TraderDependencies & {
  readonly database: Database;
  /** The part of the work that is this trader's. */
  readonly lease: ShardLease;
  /** Trading clock. */
  readonly now: Instant;
  readonly mode: MarketMode;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  /** When those of what splits or pays were quoted. */
  readonly quotedAt: ReadonlyMap<Symbol, Instant>;
  /** What should have a price now and has none: no quote, none that is believed, or one that does not fit what is held yet. */
  readonly unpriced: readonly Symbol[];
  /** Splits and dividends that are known, oldest first. */
  readonly actions: ReadonlyMap<Symbol, readonly CorporateAction[]>;
  readonly terms: TradingTerms;
  readonly versions: ReadonlyMap<StrategyVersionId, TradedVersion>;
  /** What each version wants held now; forgotten when it is evaluated, read again by the fan-out. */
  readonly latestTargets: Map<StrategyVersionId, LatestTargets>;
  readonly circuitBreaker: CircuitBreaker;
  readonly barCloses: BarCloses;
  /** Targets never change once written, so those seen are kept. */
  readonly targets: Map<TargetId, TargetRecord>;
  readonly report: TickReport;
};

/** Logs and notes a failure that is left for the next tick. */
export function noteProblem(context: TradingContext, where: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  context.logger.error({ where, error }, `trader: ${where} failed: ${reason}`);
  context.report.problems.push({ where, reason });
}
