// A day that was published stays as it was: where another version of the engine computes it otherwise, the record is not renewed.
import { ENGINE_VERSION } from '#engine/evidence/engine-version.ts';
import type { PublishedSeries } from '#engine/evidence/published-record.ts';
import { getPublishedDays, type NewestBacktest } from '#records/results/backtests.ts';
import type { Database } from '#records/postgres/database.ts';

/** The first day on which `series` is not what was published by another version; null where each is the same. */
export async function findRewrittenDay(
  database: Database,
  newest: NewestBacktest | undefined,
  series: PublishedSeries,
): Promise<string | null> {
  if (newest === undefined || newest.engineVersion === ENGINE_VERSION) return null;
  const published = await getPublishedDays(database, newest.id);
  const isSame = (place: number) =>
    series.labels[place] === published.labels[place] && series.data[place] === published.data[place];
  return published.labels.find((_, place) => !isSame(place)) ?? null;
}
