import { type Kysely, sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { IS_UNPAID, OWED_OF_BILL } from '../postgres/fee-dues.ts';
import type { Tables } from '../tables.ts';

/** What has to end before an account can be closed. */
export type Blockers = {
  readonly isStaff: boolean;
  /** Names of strategies that still run, as practice too. */
  readonly running: readonly string[];
  readonly openOrders: number;
  /** Performance fees that are billed and unpaid. */
  readonly owed: Micro;
  /** Names of strategies whose final bill is not made yet. */
  readonly unbilled: readonly string[];
  /** Payments, refunds and disputes that are not over. */
  readonly movingPayments: number;
};

export async function readBlockers(database: Kysely<Tables>, userId: UserId): Promise<Blockers> {
  const { rows } = await sql<Omit<Blockers, 'owed'> & { owed: string }>`
    with own as (select d.*, s.name from deployments d join strategies s on s.id = d.strategy_id
      where d.user_id = ${userId})
    select
      (select role <> 'investor' from users where id = ${userId}) as "isStaff",
      coalesce((select array_agg(name order by name) from own where ended_at is null), '{}') as running,
      (select count(*)::int from orders o join own on own.id = o.deployment_id
        where o.status in ('intended', 'sending', 'working', 'unknown')) as "openOrders",
      (select coalesce(sum(${OWED_OF_BILL}), 0)::text from fee_bills b join own on own.id = b.deployment_id
        where ${IS_UNPAID}) as owed,
      coalesce((select array_agg(name order by name) from own
        where mode = 'real' and ended_at is not null and billed_through is distinct from ended_at), '{}') as unbilled,
      (select count(*)::int from charges c where c.user_id = ${userId} and (c.status = 'open'
        or exists (select from refunds r where r.charge_id = c.id and r.status = 'agreed')
        or exists (select from disputes x where x.charge_id = c.id and x.status = 'open'))) as "movingPayments"`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a person has no record');
  return { ...row, owed: parseMicro(row.owed) };
}
