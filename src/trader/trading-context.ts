import type { QuotedMarket } from '#engine/end-of-day/adjust-marks.ts';
import type { TradingTerms } from '#engine/deployment-state.ts';
import type { CalendarExceptions } from '#engine/market/calendar-exceptions.ts';
import type { Marks } from '#engine/market/instrument.ts';
import type { MarketMode } from '#ports/market-data.ts';
import type { Tracing } from '#ports/tracing.ts';
import type { StageCounts } from '#records/operations/chain-latencies.ts';
import type { Database } from '#records/postgres/database.ts';
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { Problem, ProblemLog } from '#engine/incidents/problem-log.ts';
import type { TraderDependencies } from './dependencies.ts';
import { LeaseLost } from './lease-lost.ts';
import type { ShardLease } from './leases/shard-lease.ts';
import type { CircuitBreaker } from '#engine/lifecycle/circuit-breaker.ts';
import type { BarCloses } from './market-data/bar-history.ts';
import type { TargetCache } from './strategies/target-cache.ts';
import type { TradedVersion } from './strategies/traded-version.ts';
import type { TickReport } from './tick-report.ts';

/** Shared by every part of one tick before prices are adjusted to holdings. */
export type TickContext = TraderDependencies &
  /** The trading clock, the listed instruments, and known splits and dividends, oldest first. */
  Pick<QuotedMarket, 'now' | 'instruments' | 'actions'> & {
    /** What the wall's clock showed when the market's showed `now`. */
    readonly seenAt: WallInstant;
    /** How many times as fast as the wall's clock the market's runs. */
    readonly speed: number;
    readonly database: Database;
    /** This trader's part of the work. */
    readonly lease: ShardLease;
    readonly mode: MarketMode;
    /** Prices as the feed reports them. */
    readonly quoted: QuotedMarket;
    /** Prices that a second feed does not bear out: for exits that a person asked for, and for nothing else. */
    readonly doubted: Marks;
    /** Instruments in which no order leaves: trading is halted, or its next session is one that our rules do not know. */
    readonly halted: ReadonlySet<Symbol>;
    /** Where the vendor's calendar contradicts our rules. */
    readonly exceptions: CalendarExceptions;
    readonly terms: TradingTerms;
    readonly versions: ReadonlyMap<StrategyVersionId, TradedVersion>;
    readonly targetCache: TargetCache;
    readonly circuitBreaker: CircuitBreaker;
    readonly barCloses: BarCloses;
    /** Problems by what they are about; those that last become incidents. */
    readonly problemLog: ProblemLog;
    readonly tracing: Tracing;
    /** How long the stages of the chain took, until it is written down. */
    readonly latencies: StageCounts;
    /** What the tick has done so far. */
    readonly report: TickReport;
  };

/** With the prices that are decided on: one reading of the market's clock and of its prices. */
export type TradingContext = TickContext & {
  readonly marks: Marks;
  /** When they were current: at the reading of the clock. */
  readonly pricedAt: Instant;
  /** Symbols without a usable price: no quote, no plausible one, or one that does not fit the holding yet. */
  readonly unpriced: readonly Symbol[];
  /**
   * The same work at the present: clock and prices are read again, unless they were a moment ago. Each transaction begins
   * with it, before its first lock, because a look at a broker takes seconds and may outlive its tick. The clock never
   * goes back. Throws when the market does not answer.
   */
  atPresent(): Promise<TradingContext>;
};

/**
 * Logs and notes a failure that is left for the next tick. One that lasts becomes an incident about `about`; null where the
 * caller keeps an incident of its own, or none is meant.
 */
export function noteProblem(
  context: Pick<TickContext, 'logger' | 'report' | 'problemLog' | 'realNow'>,
  where: string,
  error: unknown,
  about: Problem | null,
): void {
  const reason = error instanceof Error ? error.message : String(error);
  context.logger.error({ where, ...idsOf(about), err: error }, `trader: ${where} failed: ${reason}`);
  context.report.problems.push({ where, reason });
  // Another trader has the work and goes on with it.
  if (about !== null && !(error instanceof LeaseLost))
    context.problemLog.note(about, reason, context.realNow());
}

/** As a line of the log names them. */
function idsOf(about: Problem | null): Readonly<Record<string, string>> {
  if (about === null) return {};
  const { kind, subject, connectionId, deploymentId } = about;
  return {
    ...(kind === 'order_failing' && { orderId: subject }),
    ...(deploymentId && { deploymentId }),
    ...(connectionId && { connectionId }),
  };
}
