// The chain, the queues and the feeds, as every process of the product left them in the records.
import { Gauge, type Registry } from 'prom-client';
import { CHAIN_STAGES } from '#ports/tracing.ts';
import { countOpenOrders } from '#records/execution/order-counts.ts';
import { readQueueLoads } from '#records/jobs/queue-load.ts';
import { LATENCY_BOUNDS, readLatencies, type StageLatency } from '#records/operations/chain-latencies.ts';
import { findHeartbeat } from '#records/operations/heartbeats.ts';
import { PRICE_STATES, readPulse } from '#records/operations/trader-pulse.ts';
import type { Database } from '#records/postgres/database.ts';
import { instant, type Instant } from '#units/instant.ts';
import { addRows } from './add-rows.ts';

export function measureWork(registry: Registry, database: Database, now: () => Instant): void {
  registry.registerMetric(chainHistogram(database) as unknown as Gauge);
  const pulse = shared(async () => {
    const beat = await findHeartbeat(database, 'trader');
    return beat === undefined ? null : readPulse(beat.details);
  });
  const loads = shared(() => readQueueLoads(database));
  addRows(registry, 'trader_round_seconds', 'How long the last round of the trader took', async () => {
    const read = await pulse();
    return read === null ? [] : [[{}, read.roundMs / 1_000]];
  });
  addRows(registry, 'feed_prices', 'Instruments by what became of their newest price', async () => {
    const prices = (await pulse())?.feeds?.prices;
    return prices === undefined ? [] : PRICE_STATES.map((state) => [{ state }, prices[state]]);
  });
  addRows(registry, 'orders_open', 'Orders that have not ended', async () =>
    [...(await countOpenOrders(database))].map(([status, count]) => [{ status }, count]),
  );
  addRows(registry, 'jobs_waiting', 'Background jobs that are due and not begun', async () =>
    (await loads()).map(({ queue, waiting }) => [{ queue }, waiting]),
  );
  addRows(registry, 'jobs_running', 'Background jobs at work', async () =>
    (await loads()).map(({ queue, running }) => [{ queue }, running]),
  );
  const oldest = 'Age of the oldest background job that is due and not begun; 0 without one';
  addRows(registry, 'job_oldest_seconds', oldest, async () =>
    (await loads()).map(({ queue, oldestAt }) => [
      { queue },
      oldestAt === null ? 0 : Math.max(0, now() - instant(oldestAt.getTime())) / 1_000,
    ]),
  );
}

/** One reading for all who ask while it is under way: the figures of a scrape are read together. */
function shared<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}

const CHAIN = 'chain_stage_duration_seconds';

/** A histogram whose counts are read each time: all traders add to them, and this process to none. */
function chainHistogram(database: Database) {
  return {
    name: CHAIN,
    async get() {
      const latencies = await readLatencies(database);
      return {
        name: CHAIN,
        help: 'How long each stage of the chain from a close to a fill took',
        type: 'histogram',
        aggregator: 'max',
        values: CHAIN_STAGES.filter((stage) => stage !== 'push').flatMap((stage) =>
          histogramValues(stage, latencies.get(stage) ?? { counts: [], seconds: 0 }),
        ),
      };
    },
  };
}

function histogramValues(stage: string, { counts, seconds }: StageLatency) {
  let total = 0;
  const buckets = [...LATENCY_BOUNDS, '+Inf'].map((le, place) => {
    total += counts[place] ?? 0;
    return { metricName: `${CHAIN}_bucket`, labels: { stage, le: String(le) }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${CHAIN}_sum`, labels: { stage }, value: seconds },
    { metricName: `${CHAIN}_count`, labels: { stage }, value: total },
  ];
}
