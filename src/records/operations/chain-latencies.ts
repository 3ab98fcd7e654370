// How long the stages of the chain took, as the counts of a histogram: one row a stage, added to by every trader, so that
// neither a restart nor another trader starts them over.
import { type Kysely, sql } from 'kysely';
import { CHAIN_STAGES, type ChainStage } from '#ports/tracing.ts';
import type { Tables } from '../tables.ts';

/** Upper bounds in seconds; what took longer counts beyond the last. */
export const LATENCY_BOUNDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900,
] as const;

export type StageLatency = {
  /** One for each bound, and one beyond; each without those below. */
  readonly counts: readonly number[];
  readonly seconds: number;
};

/** What one process has counted since it last wrote it down. */
export type StageCounts = {
  count(stage: ChainStage, seconds: number): void;
  /** What is counted from now on is apart from it. */
  take(): ReadonlyMap<ChainStage, StageLatency>;
  /** Adds what could not be written. */
  giveBack(taken: ReadonlyMap<ChainStage, StageLatency>): void;
};

const BUCKETS = LATENCY_BOUNDS.length + 1;

export function createStageCounts(): StageCounts {
  let stages = new Map<ChainStage, { counts: number[]; seconds: number }>();
  const of = (stage: ChainStage) => {
    const known = stages.get(stage) ?? { counts: Array.from({ length: BUCKETS }, () => 0), seconds: 0 };
    stages.set(stage, known);
    return known;
  };
  return {
    count(stage, seconds) {
      const own = of(stage);
      const bucket = LATENCY_BOUNDS.findIndex((bound) => seconds <= bound);
      const place = bucket === -1 ? BUCKETS - 1 : bucket;
      own.counts[place] = (own.counts[place] ?? 0) + 1;
      own.seconds += seconds;
    },
    take() {
      const taken = stages;
      stages = new Map();
      return taken;
    },
    giveBack(taken) {
      for (const [stage, { counts, seconds }] of taken) {
        const own = of(stage);
        own.counts = own.counts.map((count, bucket) => count + (counts[bucket] ?? 0));
        own.seconds += seconds;
      }
    },
  };
}

/** Rows in one order, so that two traders never wait for each other. */
export async function addLatencies(
  database: Kysely<Tables>,
  taken: ReadonlyMap<ChainStage, StageLatency>,
): Promise<void> {
  if (taken.size === 0) return;
  const rows = CHAIN_STAGES.flatMap((stage) => {
    const one = taken.get(stage);
    return one === undefined ? [] : [sql`(${stage}, ${[...one.counts]}::bigint[], ${one.seconds}::float8)`];
  });
  await sql`
    insert into chain_latencies (stage, counts, seconds) values ${sql.join(rows)}
    on conflict (stage) do update set seconds = chain_latencies.seconds + excluded.seconds,
      counts = (select array_agg(coalesce(known, 0) + coalesce(added, 0) order by place)
        from unnest(chain_latencies.counts, excluded.counts) with ordinality as both_counts (known, added, place))`.execute(
    database,
  );
}

/** Every stage that has been counted. */
export async function readLatencies(
  database: Kysely<Tables>,
): Promise<ReadonlyMap<ChainStage, StageLatency>> {
  const rows = await database.selectFrom('chain_latencies').selectAll().execute();
  return new Map(
    rows.map(({ stage, counts, seconds }) => [stage as ChainStage, { counts: counts.map(Number), seconds }]),
  );
}
