// What a trader keeps between ticks, one part per folder; all of it can be read again from the records.
import { heldSince } from '#engine/execution/connection/lease.ts';
import { type ConnectionPool, createConnectionPool } from './connections/connection-pool.ts';
import type { TraderDependencies } from './dependencies.ts';
import type { EndOfDayMemory } from './end-of-day/end-of-day.ts';
import { newStopMemory, type StopMemory } from './execution/protective-stops.ts';
import type { JudgedDays } from './expectation/judge-closed-day.ts';
import type { BillingMemory } from './fees/bill-fees.ts';
import type { ProblemMemory } from './incidents/save-problems.ts';
import { createStageCounts, type StageCounts } from '#records/operations/chain-latencies.ts';
import type { ShardLease, ShardLeases } from './leases/shard-lease.ts';
import { createProblemLog } from '#engine/incidents/problem-log.ts';
import { type CircuitBreaker, createCircuitBreaker } from '#engine/lifecycle/circuit-breaker.ts';
import type { BarHistory } from './market-data/bar-history.ts';
import type { Ingested } from './chain.ts';
import type { IntradayBooks } from './market-data/ingest-intraday.ts';
import { createMarketWatch, type MarketWatch } from './market-data/market-view.ts';
import { createMarkMemory, forgetMarks, type MarkMemory } from './rebalance/mark-changes.ts';
import { createStrategyMemory, type StrategyMemory } from './strategies/strategy-memory.ts';

export type TraderMemory = {
  /** Version of the lease under which it was read. */
  leaseKey: string;
  readonly market: {
    readonly watch: MarketWatch;
    history: BarHistory | null;
    readonly intraday: IntradayBooks;
    /** The last reading that brought bars. */
    ingested: Ingested | null;
  };
  readonly connections: ConnectionPool;
  readonly circuitBreaker: CircuitBreaker;
  readonly strategies: StrategyMemory;
  readonly marks: MarkMemory;
  readonly judged: JudgedDays;
  readonly endOfDay: EndOfDayMemory;
  readonly stops: StopMemory;
  readonly billing: BillingMemory;
  readonly problems: ProblemMemory;
  readonly latencies: StageCounts;
};

/** The memory of a trader, made when it is asked for. */
export function memoryOf(dependencies: TraderDependencies) {
  let known: TraderMemory | null = null;
  let history = 0;
  const forget = async () => {
    const forgotten = known;
    known = null;
    await forgotten?.connections.close();
  };
  return {
    remember: (): TraderMemory => (known ??= createTraderMemory(dependencies)),
    forget,
    /** What was learned before the newest restore of the database is of rows that are not there any more. */
    async forgetOthers(restoration: number): Promise<void> {
      if (restoration !== history) await forget();
      history = restoration;
    },
  };
}

function createTraderMemory({
  handle,
  marketData,
  models,
  steadyMs = () => performance.now(),
  sendersAtOnce,
}: TraderDependencies): TraderMemory {
  return {
    leaseKey: '',
    market: {
      watch: createMarketWatch(marketData, handle.database, steadyMs),
      history: null,
      intraday: new Map(),
      ingested: null,
    },
    connections: createConnectionPool(sendersAtOnce),
    circuitBreaker: createCircuitBreaker(),
    strategies: createStrategyMemory(models),
    marks: createMarkMemory(),
    judged: new Map(),
    endOfDay: { processed: null },
    stops: newStopMemory(),
    billing: { done: null },
    problems: { log: createProblemLog(), watchedSince: null, sweptAt: null },
    latencies: createStageCounts(),
  };
}

/** Releases what others take over, and drops what is known about shards no longer held. */
export async function renewLease(leases: ShardLeases, memory: TraderMemory): Promise<ShardLease> {
  let lease = await leases.current();
  const surplus = leases.surplus();
  if (surplus.length > 0) {
    await memory.connections.leave(surplus);
    await leases.release(surplus);
    lease = await leases.current();
  }
  if (lease.key === memory.leaseKey) return lease;
  // Of a shard that another trader had in between, even within one tick, nothing that was known holds.
  memory.connections.keepOnly(heldSince(memory.leaseKey, lease.key));
  memory.leaseKey = lease.key;
  memory.endOfDay.processed = null;
  memory.market.intraday.clear();
  memory.strategies.evaluations = null;
  memory.strategies.targetCache.forgetAllLatest();
  forgetMarks(memory.marks);
  memory.judged.clear();
  memory.stops.lookedAt = null;
  return lease;
}
