// Open incidents about the prices that a strategy reads: doubted, refused, or missing. Without its feed the trader cannot work at all.
import { type Kysely, sql } from 'kysely';
import type { NotedIncident } from '#engine/incidents/incident-kind.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

const IS_OF_ALL = `i.kind = 'tick_failing' and i.subject = 'trader'`;
const IS_OF_ONE = `i.kind in ('price_doubted', 'price_refused', 'market_data_failing')`;

/** A condition on the incident `i`: it is about prices. */
export const IS_OF_PRICES = `(${IS_OF_ALL} or ${IS_OF_ONE})`;

/** A condition on the incident `i`: it is about a price that this version reads. */
export function isOfPricesOf(versionId: string): string {
  return `(${IS_OF_ALL} or ${IS_OF_ONE} and exists (
  select from strategy_versions v where v.id = ${versionId} and v.definition -> 'universe' ? i.symbol))`;
}

/** The worst first. */
export async function listPriceIncidents(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
): Promise<readonly NotedIncident[]> {
  const { rows } = await sql<NotedIncident>`
    select i.kind, i.symbol from (select ${versionId}::uuid as id) as version, incidents i
    where i.ended_at is null and ${sql.raw(isOfPricesOf('version.id'))}
    order by i.severity, i.since, i.id`.execute(database);
  return rows;
}
