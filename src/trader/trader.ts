// The live host of the engine. One tick does the whole chain once, at one reading of the market's clock: facts from the
// brokers, closed bars, evaluations, marks, commands, fan-out, orders, and the facts that follow from them.
import { setTimeout as pause } from 'node:timers/promises';
import type { CalendarId } from '#engine/market/instrument.ts';
import { beat, noteMarketSeen } from '#records/operations/heartbeats.ts';
import { lastEvaluations } from '#records/strategies/targets.ts';
import { getVersions, listTradedVersionIds } from '#records/strategies/traded-versions.ts';
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { previousSession } from '#engine/market/calendar.ts';
import { type BarHistory, createBarHistory } from './market-data/bar-history.ts';
import { type BillingMemory, billFees } from './fees/bill-fees.ts';
import { type ConnectionPool, createConnectionPool } from './connections/connection-pool.ts';
import type { TraderDependencies } from './dependencies.ts';
import { evaluateStrategies } from './strategies/evaluate-strategies.ts';
import { type CircuitBreaker, createCircuitBreaker } from './lifecycle/circuit-breaker.ts';
import { fanOut } from './rebalance/fan-out.ts';
import { replicateMarketData } from './market-data/replicate-market-data.ts';
import { ingestBars } from './market-data/ingest-bars.ts';
import { markClosedDay, markDeployments } from './rebalance/mark.ts';
import { createMarketWatch, type MarketView } from './market-data/market-view.ts';
import { adjustMarks } from '#engine/end-of-day/adjust-marks.ts';
import { processedSessions, type EndOfDayMemory, processEndOfDay } from './end-of-day/end-of-day.ts';
import { quarantineFailing } from './lifecycle/quarantine.ts';
import { maintainStops, newStopMemory, type StopMemory } from './execution/protective-stops.ts';
import { createShardLeases, type ShardLease, type ShardLeases } from './leases/shard-lease.ts';
import { createScoreBook, type ScoreBook } from './strategies/score-book.ts';
import { emptyReport, isIdle, type TickReport } from './tick-report.ts';
import { type TradedVersion, tradedVersion } from './strategies/traded-version.ts';
import { noteProblem, type TradingContext } from './trading-context.ts';
import { tradingTerms } from '#engine/risk/trading-terms.ts';
import { applyCommands } from './lifecycle/apply-commands.ts';

export type Trader = {
  /** The whole chain once; waits for slow brokers as long as `patienceMs` says, for ever when it says nothing. */
  tick(options?: { readonly patienceMs?: number }): Promise<TickReport>;
  /** Ticks until the signal, then settles what is under way and lets the lease go. */
  run(signal: AbortSignal): Promise<void>;
  /** For a trader that was ticked by hand. */
  close(): Promise<void>;
};

export function createTrader(dependencies: TraderDependencies): Trader {
  const { handle, newId, logger, steadyMs = () => performance.now() } = dependencies;
  const leases = createShardLeases({ handle, newId, logger, steadyMs });
  let memory: Memory | null = null;

  const tick = async ({ patienceMs = Number.POSITIVE_INFINITY } = {}): Promise<TickReport> => {
    const report = emptyReport();
    memory ??= createMemory(dependencies);
    let view: MarketView | null = null;
    const lease = await renewLease(leases, memory);
    try {
      view = await memory.watch.look();
      if (lease.hasMarket) await noteMarketSeen(dependencies.handle.database, 'trader', view.clock.now);
      await trade(await openContext(dependencies, { memory, view, lease, report }), memory, patienceMs);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.error({ error }, `trader: tick failed: ${reason}`);
      report.problems.push({ where: 'tick', reason });
    }
    if (lease.hasMarket) await sayAlive(dependencies, view, report);
    return report;
  };

  const close = async () => {
    await memory?.connections.close();
    memory = null;
    await leases.close();
  };

  return {
    tick,
    close,
    async run(signal) {
      let failures = 0;
      while (!signal.aborted) {
        try {
          const report = await tick({ patienceMs: PATIENCE_MS });
          failures = report.problems.length === 0 || !isIdle(report) ? 0 : Math.min(failures + 1, 5);
        } catch (error) {
          // The database is away; nothing is decided without it.
          dependencies.logger.error({ error }, 'trader: no tick was possible');
          failures = Math.min(failures + 1, 5);
        }
        await pause(TICK_MS * 2 ** failures, undefined, { signal }).catch(() => undefined);
      }
      await close();
    },
  };
}

/** Leaves what others are to take over, and forgets what was known of other shards than those held now. */
async function renewLease(leases: ShardLeases, memory: Memory): Promise<ShardLease> {
  let lease = await leases.current();
  const surplus = leases.surplus();
  if (surplus.length > 0) {
    await memory.connections.leave(surplus);
    await leases.release(surplus);
    lease = await leases.current();
  }
  if (lease.key === memory.leaseKey) return lease;
  memory.leaseKey = lease.key;
  memory.connections.keepOnly(lease.shards);
  memory.endOfDay.processed = null;
  memory.evaluations = null;
  memory.marks = new Map();
  memory.closedDays.clear();
  memory.latestTargets.clear();
  memory.stops.lookedAt = 0;
  return lease;
}

/** What a trader keeps between ticks; all of it can be read again from the records. */
type Memory = {
  leaseKey: string;
  readonly watch: ReturnType<typeof createMarketWatch>;
  readonly connections: ConnectionPool;
  readonly circuitBreaker: CircuitBreaker;
  readonly versions: Map<StrategyVersionId, TradedVersion>;
  readonly targets: TradingContext['targets'];
  readonly latestTargets: TradingContext['latestTargets'];
  readonly closedDays: Map<CalendarId, Instant>;
  readonly scoreBook: ScoreBook;
  readonly endOfDay: EndOfDayMemory;
  readonly stops: StopMemory;
  readonly billing: BillingMemory;
  history: BarHistory | null;
  evaluations: Map<StrategyVersionId, Instant> | null;
  marks: TradingContext['marks'];
};

function createMemory({ handle, marketData, models }: TraderDependencies): Memory {
  return {
    leaseKey: '',
    watch: createMarketWatch(marketData, handle.database),
    connections: createConnectionPool(),
    circuitBreaker: createCircuitBreaker(),
    versions: new Map(),
    targets: new Map(),
    latestTargets: new Map(),
    closedDays: new Map(),
    scoreBook: createScoreBook(models),
    endOfDay: { processed: null },
    stops: newStopMemory(),
    billing: { done: null },
    history: null,
    evaluations: null,
    marks: new Map(),
  };
}

type Opening = {
  readonly memory: Memory;
  readonly view: MarketView;
  readonly lease: ShardLease;
  readonly report: TickReport;
};

async function openContext(
  dependencies: TraderDependencies,
  { memory, view, lease, report }: Opening,
): Promise<TradingContext> {
  const { clock, instruments, marks, quotedAt, unpriced, actions, refused } = view;
  const { database } = dependencies.handle;
  memory.history ??= createBarHistory(database, clock.mode === 'replay' ? 'import' : 'sandbox');
  const context: TradingContext = {
    ...dependencies,
    database,
    lease,
    now: clock.now,
    mode: clock.mode,
    instruments,
    marks,
    quotedAt,
    unpriced,
    actions,
    terms: tradingTerms(instruments),
    versions: memory.versions,
    latestTargets: memory.latestTargets,
    circuitBreaker: memory.circuitBreaker,
    barCloses: memory.history,
    targets: memory.targets,
    report,
  };
  for (const reason of refused) noteProblem(context, 'quotes', new Error(reason));
  await learnVersions(context, memory);
  return context;
}

async function learnVersions(context: TradingContext, memory: Memory): Promise<void> {
  const ids = await listTradedVersionIds(context.database);
  for (const id of memory.versions.keys()) if (!ids.includes(id)) memory.versions.delete(id);
  const unknown = ids.filter((id) => !memory.versions.has(id));
  for (const record of await getVersions(context.database, unknown)) {
    const version = tradedVersion(record, context.instruments);
    if (typeof version === 'string')
      noteProblem(context, `strategy ${record.strategyName}`, new Error(version));
    else memory.versions.set(record.id, version);
  }
}

async function trade(seen: TradingContext, memory: Memory, patienceMs: number): Promise<void> {
  const { connections, history } = memory;
  if (history === null) return;
  await connections.reconcile(await withAdjustedMarks(seen, memory.endOfDay), patienceMs);
  const { hasMarket } = seen.lease;
  const source = seen.mode === 'replay' ? 'import' : 'sandbox';
  await (hasMarket ? ingestBars(seen, history, source) : replicateMarketData(seen, history, source));
  history.learn(seen.actions);
  await processEndOfDay(seen, history, memory.endOfDay);
  const context = await withAdjustedMarks(seen, memory.endOfDay);
  memory.stops.changesSeen = 0;
  if (hasMarket) {
    memory.evaluations ??= await lastEvaluations(context.database);
    await evaluateStrategies(context, { history, scoreBook: memory.scoreBook }, memory.evaluations);
  }
  await markDeployments(context, { moved: movedSince(memory.marks, context.marks) });
  memory.marks = context.marks;
  // A fill can free cash for the next order of the same target, trip a limit, or end a stop: settle what follows.
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { fillsBooked, ordersWritten, ordersEnded, commandsApplied } = context.report;
    await applyCommands(context);
    await fanOut(context);
    if (round === 0) await markClosedDays(context, memory);
    await maintainStops(context, memory.stops);
    await connections.act(context, patienceMs, memory.stops.mismatched);
    const after = context.report;
    if (
      after.fillsBooked === fillsBooked &&
      after.ordersWritten === ordersWritten &&
      after.ordersEnded === ordersEnded &&
      after.commandsApplied === commandsApplied
    )
      break;
  }
  await markDeployments(context, 'due');
  await billFees(context, memory.billing);
  await quarantineFailing(context);
}

async function withAdjustedMarks(seen: TradingContext, memory: EndOfDayMemory): Promise<TradingContext> {
  const processed = await processedSessions(seen, memory);
  return { ...seen, ...adjustMarks(seen, { processed, newestBar: seen.barCloses.newestBar }) };
}

async function markClosedDays(context: TradingContext, memory: Memory): Promise<void> {
  const calendars = new Set([...context.versions.values()].map(({ calendar }) => calendar));
  for (const calendar of calendars) {
    const { closesAt } = previousSession(calendar, context.now);
    if (memory.closedDays.get(calendar) === closesAt) continue;
    await markClosedDay(context, calendar);
    memory.closedDays.set(calendar, closesAt);
  }
}

function movedSince(before: TradingContext['marks'], now: TradingContext['marks']): Symbol[] {
  return [...now].filter(([symbol, price]) => before.get(symbol) !== price).map(([symbol]) => symbol);
}

async function sayAlive(
  dependencies: TraderDependencies,
  view: MarketView | null,
  report: TickReport,
): Promise<void> {
  const { problems, ...counts } = report;
  await beat(dependencies.handle.database, {
    process: 'trader',
    beatAt: dependencies.realNow(),
    marketAt: view?.clock.now ?? null,
    details: {
      mode: view?.clock.mode ?? null,
      day_seconds: view?.clock.daySeconds ?? null,
      problems: problems.slice(0, 20),
      ...counts,
    },
  });
}

const TICK_MS = 300;
const PATIENCE_MS = 2_000;
/** Sales, the purchases they pay for, and a stop that ends: three rounds settle them, the rest waits for the next tick. */
const ROUNDS_MAX = 4;
