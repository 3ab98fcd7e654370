// Results of the engine over closed bars, one per strategy version and input. Written by processes and trader, read by
// the catalogue's screens. Never changed: a new input is a new row.
import type { IntradayInterval } from '#engine/market/instrument.ts';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ENGINE_VERSION } from '#engine/evidence/engine-version.ts';
import type { EvidenceCosts } from '#engine/evidence/evidence-run.ts';
import type { Evidence } from '#engine/evidence/evidence-grade.ts';
import type { EvidenceHashes } from '#engine/evidence/fingerprints.ts';
import type { PublishedFigures, PublishedSeries, PublishedTrade } from '#engine/evidence/published-record.ts';
import type { SampleReports } from '#engine/evidence/sample-reports.ts';
import type { CapacityEstimate } from '#engine/capacity/estimate-capacity.ts';
import type { PositionSizes } from '#engine/strategy/position-sizes.ts';
import type { BacktestId, StrategyVersionId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import type { BarSource } from '../market/instruments.ts';
import type { FamilyCount } from './trial-families.ts';
import type { TrialCount } from './trials.ts';

/** The grade as of the ledger at that moment. */
export type StoredEvidence = Evidence & { readonly trials: TrialCount; readonly family: FamilyCount };

/** The bars that a result read: `counts` of each symbol from its first; later ones were not read. */
export type BarsRead = {
  readonly source: BarSource;
  /** Absent where they are days. */
  readonly interval?: IntradayInterval;
  readonly counts: { readonly [symbol: string]: number };
  /** The end of each symbol's chain of bars when they were read, as hex; absent in results older than the chains. */
  readonly heads?: { readonly [symbol: string]: string };
};

export type BarScores = { readonly [symbol: string]: readonly (number | null)[] };

export type StoredBacktest = {
  readonly versionId: StrategyVersionId;
  readonly hashes: EvidenceHashes;
  /** Trading clock, when it was run. */
  readonly dataAsOf: Instant;
  readonly barsRead: BarsRead;
  /** Per bar, where the strategy has a model. */
  readonly scores: BarScores | null;
  readonly costs: EvidenceCosts;
  readonly firstDate: IsoDate;
  readonly lastDate: IsoDate;
  readonly figures: PublishedFigures;
  readonly samples: SampleReports;
  readonly series: PublishedSeries;
  readonly trades: readonly PublishedTrade[];
  /** Null when it never asked for a position. */
  readonly positionSizes: PositionSizes | null;
  readonly capacity: CapacityEstimate;
};

/** Stores a result. The same input again changes only the evidence, which the ledger moves. */
export async function saveBacktest(
  database: Database,
  backtest: StoredBacktest,
  evidence: StoredEvidence,
): Promise<void> {
  const { hashes } = backtest;
  await database
    .insertInto('backtests')
    .values({
      id: randomUUID() as string as BacktestId,
      strategy_version_id: backtest.versionId,
      input_hash: hashes.input,
      result_hash: hashes.result,
      engine_hash: hashes.engine,
      engine_version: ENGINE_VERSION,
      data_hash: hashes.data,
      costs_hash: hashes.costs,
      data_as_of: isoText(backtest.dataAsOf),
      bars_read: JSON.stringify(backtest.barsRead),
      first_date: backtest.firstDate,
      last_date: backtest.lastDate,
      scores: backtest.scores && JSON.stringify(backtest.scores),
      costs: JSON.stringify(backtest.costs),
      figures: JSON.stringify(backtest.figures),
      samples: JSON.stringify(backtest.samples),
      evidence: JSON.stringify(evidence),
      series: JSON.stringify(backtest.series),
      trades: JSON.stringify(backtest.trades),
      position_sizes: backtest.positionSizes && JSON.stringify(backtest.positionSizes),
      capacity: JSON.stringify(backtest.capacity),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['strategy_version_id', 'input_hash'])
        .doUpdateSet((row) => ({ evidence: row.ref('excluded.evidence') })),
    )
    .execute();
}

export type NewestBacktest = {
  readonly id: BacktestId;
  readonly engineHash: string;
  readonly engineVersion: string;
  readonly inputHash: string;
  readonly dataAsOf: Instant;
};

export async function findNewestBacktest(
  database: Database,
  versionId: StrategyVersionId,
): Promise<NewestBacktest | undefined> {
  const row = await database
    .selectFrom('backtests')
    .select(['id', 'engine_hash', 'engine_version', 'input_hash', 'data_as_of'])
    .where('strategy_version_id', '=', versionId)
    .orderBy('last_date', 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      engineHash: row.engine_hash,
      engineVersion: row.engine_version,
      inputHash: row.input_hash,
      dataAsOf: parseInstant(row.data_as_of),
    }
  );
}

export async function getPublishedDays(
  database: Database,
  id: BacktestId,
): Promise<Pick<PublishedSeries, 'labels' | 'data'>> {
  const row = await database
    .selectFrom('backtests')
    .select('series')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.series as PublishedSeries;
}

/** The daily values of a result that count as evidence, and how many of their returns are before the commit. */
export async function getBacktestValues(
  database: Database,
  id: BacktestId,
): Promise<Pick<PublishedSeries, 'data' | 'benchmark'> & { readonly periodsInSample: number }> {
  const row = await database
    .selectFrom('backtests')
    .select(['series', 'samples'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { data, benchmark } = row.series as PublishedSeries;
  const samples = row.samples as SampleReports;
  return { ...evidenceRows({ data, benchmark }, samples), periodsInSample: samples.inSample?.periods ?? 0 };
}

/** Without the rows that a deciding model may have known. */
export function evidenceRows(
  { data, benchmark }: Pick<PublishedSeries, 'data' | 'benchmark'>,
  { known }: Pick<SampleReports, 'known'>,
): Pick<PublishedSeries, 'data' | 'benchmark'> {
  const first = known?.periods ?? 0;
  return { data: data.slice(first), benchmark: benchmark.slice(first) };
}

/** The evidence of a result under the current ledger; its input and output stay. */
export async function saveEvidence(
  database: Database,
  id: BacktestId,
  evidence: StoredEvidence,
): Promise<void> {
  await database
    .updateTable('backtests')
    .set({ evidence: JSON.stringify(evidence) })
    .where('id', '=', id)
    .execute();
}

/** Keeps the first result of a version, as it was published, the last one of each engine, and the newest ones; returns how many were removed. */
export async function pruneBacktests(database: Database, versionId: StrategyVersionId): Promise<number> {
  const pruned = await sql`
    with ranked as (
      select id,
        row_number() over (order by last_date desc, created_at desc) as newness,
        row_number() over (order by created_at) as age,
        row_number() over (partition by engine_version order by last_date desc, created_at desc) as newness_of_engine
      from backtests where strategy_version_id = ${versionId})
    delete from backtests b using ranked r
    where b.id = r.id and r.newness > ${NEWEST_KEPT} and r.age > 1 and r.newness_of_engine > 1`.execute(
    database,
  );
  return Number(pruned.numAffectedRows ?? 0n);
}

/** A page opened just before a renewal still finds its result. */
const NEWEST_KEPT = 3;
