// The live host of the engine: it ticks while it runs, and holds the shards it works for.
import { setTimeout as pause } from 'node:timers/promises';
import { addLatencies } from '#records/operations/chain-latencies.ts';
import { beat, noteMarketSeen } from '#records/operations/heartbeats.ts';
import { pulseDetails, type TraderPulse } from '#records/operations/trader-pulse.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import { createRequestDesk } from './broker-requests/request-desk.ts';
import { startAnswering } from './broker-requests/start-answering.ts';
import type { TraderDependencies } from './dependencies.ts';
import { saveProblems } from './incidents/save-problems.ts';
import { createShardLeases, type ShardLease, type ShardLeases } from './leases/shard-lease.ts';
import { lendPrices } from './broker-requests/lend-prices.ts';
import type { MarketView } from './market-data/market-view.ts';
import { runTick } from './tick.ts';
import { emptyReport, isIdle, type TickReport } from './tick-report.ts';
import { noteProblem } from './trading-context.ts';
import { memoryOf, renewLease, type TraderMemory } from './trader-memory.ts';

export type Trader = {
  /** The whole chain once; waits up to `patienceMs` for slow brokers, without limit when it is absent. */
  tick(options?: { readonly patienceMs?: number }): Promise<TickReport>;
  /** Answers what the API asks about broker accounts, beside the ticks. Returns the function that stops it. */
  answer(): () => Promise<void>;
  /** Ticks until the signal, then settles work in progress and releases the lease. */
  run(signal: AbortSignal): Promise<void>;
  /** For a trader that is ticked by hand. */
  close(): Promise<void>;
};

export function createTrader(dependencies: TraderDependencies, leases = leasesOf(dependencies)): Trader {
  const { handle, logger, realNow } = dependencies;
  const memory = memoryOf(dependencies);
  let held: ShardLease | null = null;
  let renewing: Promise<ShardLease> | null = null;
  const desk = createRequestDesk({
    ...dependencies,
    findSession: (connection) => memory.remember().connections.session(dependencies, connection),
  });
  dependencies.lendPrices?.(async () =>
    held === null ? null : lendPrices(dependencies, held, memory.remember().connections),
  );
  /** One at a time: a tick and an answer may need the lease at once. */
  const renew = (): Promise<ShardLease> => {
    renewing ??= leases
      .current()
      .then(({ restoration }) => memory.forgetOthers(restoration))
      .then(() => renewLease(leases, memory.remember()))
      .then((lease) => (held = lease))
      .finally(() => {
        renewing = null;
      });
    return renewing;
  };
  const answer = () => startAnswering(dependencies, desk, async () => held ?? renew());

  const tick = async ({ patienceMs = Number.POSITIVE_INFINITY } = {}): Promise<TickReport> => {
    const report = emptyReport();
    const began = realNow();
    let view: MarketView | null = null;
    const lease = await renew();
    const remembered = memory.remember();
    try {
      view = await remembered.market.watch.look();
      await noteMarketSeen(handle.database, 'trader', view.clock.now);
      await runTick(dependencies, { memory: remembered, view, lease, report, patienceMs });
    } catch (error) {
      const problemLog = remembered.problems.log;
      noteProblem({ logger, realNow, report, problemLog }, 'tick', error, TICK);
    }
    await endRound(dependencies, { memory: remembered, lease, view, report, began });
    return report;
  };

  const close = async () => {
    held = null;
    await desk.idle();
    await memory.forget();
    dependencies.marketData.stop?.();
    await leases.close();
  };

  return {
    tick,
    answer,
    close,
    async run(signal) {
      const stopAnswering = answer();
      await tickUntil(signal, tick, logger);
      await stopAnswering();
      await close();
    },
  };
}

function leasesOf(dependencies: TraderDependencies): ShardLeases {
  const { steadyMs = () => performance.now() } = dependencies;
  return createShardLeases({ ...dependencies, steadyMs });
}

async function tickUntil(
  signal: AbortSignal,
  tick: Trader['tick'],
  logger: TraderDependencies['logger'],
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const report = await tick({ patienceMs: PATIENCE_MS });
      failures = report.problems.length === 0 || !isIdle(report) ? 0 : Math.min(failures + 1, 5);
    } catch (error) {
      // The database is unreachable; nothing is decided without it.
      logger.error({ err: error }, 'trader: no tick was possible');
      failures = Math.min(failures + 1, 5);
    }
    await pause(TICK_MS * 2 ** failures, undefined, { signal }).catch(() => undefined);
  }
}

type Round = {
  readonly memory: TraderMemory;
  readonly lease: ShardLease;
  readonly view: MarketView | null;
  readonly report: TickReport;
  readonly began: WallInstant;
};

async function endRound(dependencies: TraderDependencies, round: Round): Promise<void> {
  const { memory, lease } = round;
  await saveLatencies(dependencies, memory);
  await saveProblems(dependencies, memory.problems, lease.hasMarket ? 'sweeps' : 'leaves ends');
  if (lease.hasMarket) await sayAlive(dependencies, round);
}

/** Figures for operators: what could not be written waits, and holds nothing up. */
async function saveLatencies(
  { handle, logger }: Pick<TraderDependencies, 'handle' | 'logger'>,
  { latencies }: Pick<TraderMemory, 'latencies'>,
): Promise<void> {
  const taken = latencies.take();
  try {
    await addLatencies(handle.database, taken);
  } catch (error) {
    latencies.giveBack(taken);
    logger.warn({ err: error }, 'trader: the latencies were not written');
  }
}

async function sayAlive(dependencies: TraderDependencies, { view, report, began }: Round): Promise<void> {
  const { problems, ...counts } = report;
  const beatAt = dependencies.realNow();
  await beat(dependencies.handle.database, {
    process: 'trader',
    beatAt,
    marketAt: view?.clock.now ?? null,
    details: {
      mode: view?.clock.mode ?? null,
      day_seconds: view?.clock.daySeconds ?? null,
      problems: problems.slice(0, 20),
      ...pulseDetails({ roundMs: msBetween(began, beatAt), feeds: view && feedsOf(view, dependencies) }),
      ...counts,
    },
  });
}

function feedsOf(
  { marks, unpriced, refused, doubts, halted }: MarketView,
  { marketData }: Pick<TraderDependencies, 'marketData'>,
): TraderPulse['feeds'] {
  return {
    vendors: (marketData.vendors ?? []).map(({ name }) => name),
    prices: {
      accepted: marks.size,
      missing: unpriced.length - refused.length - doubts.length,
      refused: refused.length,
      doubted: doubts.length,
      halted: halted.size,
    },
  };
}

const TICK = { kind: 'tick_failing', subject: 'trader', task: 'tick' } as const;
/** The rest between two ticks. */
export const TICK_MS = 300;
/** Looks and sends that take longer go on beside the next ticks: a close waits for them no longer than this. */
export const PATIENCE_MS = 500;
