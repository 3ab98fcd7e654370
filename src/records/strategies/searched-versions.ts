// The results that grow doubtful together: the newest measured version of each strategy of one searcher.
import { type Kysely, sql } from 'kysely';
import type { StrategyId, StrategyVersionId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

type SearchedVersion = {
  readonly strategyId: StrategyId;
  readonly versionId: StrategyVersionId;
  readonly definition: unknown;
};

/** Of the person whose draft this is; for a strategy of the provider, its catalogue and the drafts of its staff. */
export async function listSearchedVersions(
  database: Kysely<Tables>,
  strategyId: StrategyId,
): Promise<readonly SearchedVersion[]> {
  const { rows } = await sql<SearchedVersion>`
    with searched as (
      select s.id, (select u.id from users u where u.id = s.owner_id and u.role <> 'provider') as searcher from strategies s)
    select v.strategy_id as "strategyId", v.id as "versionId", v.definition from searched s
    join lateral (
      select * from strategy_versions where strategy_id = s.id order by number desc limit 1) v on true
    where s.searcher is not distinct from (select searcher from searched where id = ${strategyId})
      and exists (select from searched where id = ${strategyId})
      and exists (select from backtests b where b.strategy_version_id = v.id)
      and exists (select from trials t where t.strategy_id = s.id)
    order by v.strategy_id`.execute(database);
  return rows;
}
