// One tick: the whole chain once. Each transaction reads the market's clock and prices again. Broker reports, closed bars, evaluations,
// marks, commands, fan-out, orders, and the broker reports on those orders.
import { adjustMarks } from '#engine/end-of-day/adjust-marks.ts';
import { marketSpeed } from '#engine/market/kinds/price-age.ts';
import { tradingTerms } from '#engine/risk/trading-terms.ts';
import { NO_TRACING } from '#ports/tracing.ts';
import { BAR_SOURCES } from '#records/market/instruments.ts';
import { noteBars } from './chain.ts';
import { admitFromQueues } from './capacity/admit-from-queues.ts';
import type { TraderDependencies } from './dependencies.ts';
import { type EndOfDayMemory, processEndOfDay, processedSessions } from './end-of-day/end-of-day.ts';
import { maintainStops } from './execution/protective-stops.ts';
import { judgeClosedDays } from './expectation/judge-closed-day.ts';
import { billFees } from './fees/bill-fees.ts';
import type { ShardLease } from './leases/shard-lease.ts';
import { applyCommands, quarantineFailing, releaseQuarantined } from './lifecycle/apply-commands.ts';
import { carryOutFlows } from './lifecycle/carry-out-flows.ts';
import { endRetired } from './lifecycle/end-retired.ts';
import { rebuildBooks } from './lifecycle/rebuild-books.ts';
import { type BarHistory, createBarHistory } from './market-data/bar-history.ts';
import { ingestBars } from './market-data/ingest-bars.ts';
import { ingestIntraday } from './market-data/ingest-intraday.ts';
import type { MarketView } from './market-data/market-view.ts';
import { replicateMarketData } from './market-data/replicate-market-data.ts';
import { fanOut } from './rebalance/fan-out.ts';
import { markAllowed, markClosedDays, markMoved } from './rebalance/mark-changes.ts';
import { markDeployments } from './rebalance/mark.ts';
import { evaluateStrategies } from './strategies/evaluate-strategies.ts';
import { learnDrafts, learnVersions, readEvaluations } from './strategies/strategy-memory.ts';
import type { TickReport } from './tick-report.ts';
import type { TraderMemory } from './trader-memory.ts';
import { noteProblem, type TickContext, type TradingContext } from './trading-context.ts';

type Tick = {
  readonly memory: TraderMemory;
  readonly view: MarketView;
  readonly lease: ShardLease;
  readonly report: TickReport;
  readonly patienceMs: number;
};

export async function runTick(dependencies: TraderDependencies, tick: Tick): Promise<void> {
  const { memory, view, patienceMs } = tick;
  const { mode } = view.clock;
  const { connections, endOfDay, strategies, stops } = memory;
  const leftMs = shared(dependencies, patienceMs);
  const source = BAR_SOURCES[mode];
  const history = (memory.market.history ??= createBarHistory(dependencies.handle.database, source));
  const seen = openContext(dependencies, tick, history);
  const readAgain = async () =>
    openContext(dependencies, { ...tick, view: await memory.market.watch.present() }, history);
  for (const { symbol, reason } of view.refused) {
    const about = { kind: 'price_refused', subject: symbol, symbol, task: 'quote' } as const;
    noteProblem(seen, 'quotes', new Error(reason), about);
  }
  for (const { symbol, reason } of view.doubts) {
    const about = { kind: 'price_doubted', subject: symbol, symbol, task: 'quote' } as const;
    noteProblem(seen, 'quotes', new Error(reason), about);
  }
  for (const { calendar, date, reason } of view.contradicted) {
    const about = { kind: 'calendar_contradicted', subject: calendar, task: date } as const;
    noteProblem(seen, 'calendar', new Error(reason), about);
  }
  await learnVersions(seen, strategies);
  await connections.reconcile(await withAdjustedMarks(seen, endOfDay, readAgain), leftMs());
  const { hasMarket } = seen.lease;
  const { intraday } = memory.market;
  if (hasMarket) await ingest(seen, memory, history);
  else await replicateMarketData(seen, history, source);
  history.learn(seen.actions);
  await processEndOfDay(atQuotedMarks(seen, readAgain), history, endOfDay);
  const context = await withAdjustedMarks(await readAgain(), endOfDay, readAgain);
  stops.changesSeen = 0;
  if (hasMarket) {
    const evaluations = await readEvaluations(context, strategies);
    const { scoreBook, decisionBook } = strategies;
    const { ingested } = memory.market;
    const sources = { history, intraday, ingested, scoreBook, decisionBook, patienceMs };
    await evaluateStrategies(context, sources, evaluations);
  }
  await rebuildBooks(context);
  await releaseQuarantined(context);
  await markMoved(context, memory.marks);
  await markAllowed(context, memory.marks);
  if (hasMarket) await admitFromQueues(context);
  await endRetired(context);
  await settle(context, memory, leftMs);
  await judgeClosedDays(context, memory.judged);
  await markDeployments(context, 'due');
  await carryOutFlows(context);
  await billFees(context, memory.billing);
  await quarantineFailing(context);
}

/** One patience for all that waits for brokers in a tick: with many connections each wait would use up all of it. */
function shared(
  { steadyMs = () => performance.now() }: TraderDependencies,
  patienceMs: number,
): () => number {
  const beganAt = steadyMs();
  return () => Math.max(PATIENCE_MIN_MS, patienceMs - (steadyMs() - beganAt));
}

/** Bars of days, hours and minutes. */
async function ingest(
  seen: TickContext,
  { market, strategies }: TraderMemory,
  history: BarHistory,
): Promise<void> {
  const source = BAR_SOURCES[seen.mode];
  const { barsIngested } = seen.report;
  const began = seen.realNow();
  await ingestBars(seen, history, source);
  await ingestIntraday(seen, market.intraday, { source, drafts: await learnDrafts(seen, strategies) });
  const bars = seen.report.barsIngested - barsIngested;
  if (bars > 0) market.ingested = { bars, ...noteBars(seen, began) };
}

/** A fill can free cash for the next order of the same target, trip a limit, or end a stop: settles what follows. */
async function settle(context: TradingContext, memory: TraderMemory, leftMs: () => number): Promise<void> {
  const { report } = context;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { fillsBooked, ordersWritten, ordersEnded, commandsApplied } = report;
    await applyCommands(context);
    await fanOut(context);
    if (round === 0) await markClosedDays(context, memory.marks);
    await maintainStops(context, memory.stops);
    await memory.connections.act(context, leftMs(), memory.stops.mismatched);
    if (
      report.fillsBooked === fillsBooked &&
      report.ordersWritten === ordersWritten &&
      report.ordersEnded === ordersEnded &&
      report.commandsApplied === commandsApplied
    )
      break;
  }
}

function openContext(
  dependencies: TraderDependencies,
  { memory, view, lease, report }: Tick,
  history: BarHistory,
): TickContext {
  const { clock, instruments, marks, quotedAt, unpriced, actions, doubted, halted, exceptions } = view;
  const { now, mode } = clock;
  return {
    ...dependencies,
    database: dependencies.handle.database,
    lease,
    now,
    seenAt: dependencies.realNow(),
    speed: marketSpeed(clock.daySeconds),
    mode,
    instruments,
    actions,
    quoted: { now, instruments, marks, quotedAt, unpriced, actions, exceptions },
    doubted,
    halted,
    exceptions,
    terms: tradingTerms(instruments),
    versions: memory.strategies.versions,
    targetCache: memory.strategies.targetCache,
    circuitBreaker: memory.circuitBreaker,
    barCloses: history,
    problemLog: memory.problems.log,
    tracing: dependencies.tracing ?? NO_TRACING,
    latencies: memory.latencies,
    report,
  };
}

/** The adjustment of prices waits for the end of the session, which is booked at the prices as quoted. */
function atQuotedMarks(seen: TickContext, readAgain: ReadAgain): TradingContext {
  const { now: pricedAt, marks, unpriced } = seen.quoted;
  const atPresent = async () => atQuotedMarks(await readAgain(), readAgain);
  return { ...seen, marks, pricedAt, unpriced, atPresent };
}

async function withAdjustedMarks(
  seen: TickContext,
  memory: EndOfDayMemory,
  readAgain: ReadAgain,
): Promise<TradingContext> {
  const processed = await processedSessions(seen, memory);
  const closes = { processed, newestBar: seen.barCloses.newestBar };
  const prices = adjustMarks(seen.quoted, closes);
  const atPresent = async () => withAdjustedMarks(await readAgain(), memory, readAgain);
  const doubted = adjustMarks({ ...seen.quoted, marks: seen.doubted }, closes).marks;
  return { ...seen, ...prices, doubted, pricedAt: seen.quoted.now, atPresent };
}

type ReadAgain = () => Promise<TickContext>;

/** Sales, the purchases they pay for, and a stop that ends: three rounds settle them, the rest waits for the next tick. */
const ROUNDS_MAX = 4;
/** What answers at once is waited for even then. */
const PATIENCE_MIN_MS = 100;
