import type { Claim } from '#contract/strategies/claim.ts';
import type { PublishedSeries } from '#engine/evidence/published-record.ts';
import type { Database } from '#records/postgres/database.ts';
import { listClaimedRecords, readClaimedGrowth } from '#records/strategies/claimed-records.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import type { BacktestId, StrategyId } from '#units/identifiers.ts';
import { showClaim } from './show-claim.ts';

/** A claim and the result that it is compared with never change: what is made of both is kept. */
const KEPT_MAX = 200;
const kept = new Map<string, Claim>();

/** The claim of each strategy that has one, compared with its newest result. */
export async function claimsOf(
  database: Database,
  strategies: readonly StrategyRecord[],
  series: ReadonlyMap<BacktestId, PublishedSeries>,
): Promise<ReadonlyMap<StrategyId, Claim>> {
  const claims = await listClaimedRecords(
    database,
    strategies.map(({ id }) => id),
  );
  const shown = new Map<StrategyId, Claim>();
  for (const record of strategies) {
    const claimed = claims.get(record.id);
    const own = series.get(record.backtestId);
    if (claimed === undefined || own === undefined) continue;
    const key = `${claimed.id} ${record.backtestId}`;
    const made =
      kept.get(key) ??
      showClaim(claimed, await readClaimedGrowth(database, claimed.id), { record, series: own });
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(key, made);
    shown.set(record.id, { ...made, earlier: claimed.earlier });
  }
  return shown;
}
