// How much money a strategy takes: what its newest result estimates, a lower limit of its provider, and what is in it now.
import { type Kysely, sql } from 'kysely';
import type { StrategyId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Tables } from '../tables.ts';

export type CapacityUse = {
  /** The provider's own limit; null for none. */
  readonly ownLimit: Micro | null;
  /** What its real deployments are worth. */
  readonly deployed: Micro;
  /** Who waits for room. */
  readonly waiting: { readonly count: number; readonly amount: Micro };
};

/** Unknown ids are left out. */
export async function readCapacityUse(
  database: Kysely<Tables>,
  ids: readonly StrategyId[],
): Promise<ReadonlyMap<StrategyId, CapacityUse>> {
  const { rows } = await sql<{
    id: StrategyId;
    own_limit: string | null;
    deployed: string;
    count: number;
    waiting: string;
  }>`
    select s.id, l.limit_micro as own_limit, capacity_in_use(s.id) as deployed, w.count, w.waiting
    from strategies s left join lateral (
      select limit_micro from capacity_limits where strategy_id = s.id order by id desc limit 1) l on true
    cross join lateral (select count(*)::int as count, coalesce(sum(amount_micro), 0)::bigint as waiting
      from capacity_waiting_in(s.id)) w
    where s.id = any(${ids}::uuid[])`.execute(database);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ownLimit: row.own_limit === null ? null : parseMicro(row.own_limit),
        deployed: parseMicro(row.deployed),
        waiting: { count: row.count, amount: parseMicro(row.waiting) },
      },
    ]),
  );
}

/** Until the transaction ends nobody else takes room in the strategy, or changes how much there is. The last lock of all. */
export async function lockCapacity(trx: Kysely<Tables>, id: StrategyId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`capacity ${id}`}, 0))`.execute(trx);
}

export async function insertCapacityLimit(
  trx: Kysely<Tables>,
  {
    strategyId,
    limit,
    by,
  }: { readonly strategyId: StrategyId; readonly limit: Micro | null; readonly by: string },
): Promise<void> {
  await trx
    .insertInto('capacity_limits')
    .values({ strategy_id: strategyId, limit_micro: limit, set_by: by })
    .execute();
}
