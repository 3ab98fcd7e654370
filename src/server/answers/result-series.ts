import type { PublishedSeries } from '#engine/evidence/published-record.ts';
import type { Database } from '#records/postgres/database.ts';
import { listBacktestSeries } from '#records/strategies/strategies.ts';
import type { BacktestId } from '#units/identifiers.ts';

/** Results never change, so they are cached; a new result has a new id. About 200 KB each. */
const KEPT_RESULTS = 200;
const kept = new Map<BacktestId, PublishedSeries>();

/** The series of each result, read at most once in a process while it is in use. */
export async function resultSeries(
  database: Database,
  ids: readonly BacktestId[],
): Promise<ReadonlyMap<BacktestId, PublishedSeries>> {
  const missing = ids.filter((id) => !kept.has(id));
  if (missing.length > 0) {
    const read = await listBacktestSeries(database, missing);
    if (kept.size + read.size > KEPT_RESULTS) kept.clear();
    for (const [id, series] of read) kept.set(id, series);
    if (kept.size < ids.length) return listBacktestSeries(database, ids);
  }
  return kept;
}
