// Positions whose stop cannot be placed at the broker: the last one was refused, or could not be sent several times.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { UnprotectedPosition } from '#engine/execution/stops/unprotected-position.ts';
import type { BrokerConnectionId, OrderId } from '#units/identifiers.ts';
import { parseReason, type ReasonColumns } from './orders.ts';
import type { Tables } from '../tables.ts';

/** A stop r that was refused, with none accepted for its position since. `stops` holds at least those of its deployment. */
const refusedInARow = (stops: RawBuilder<unknown>) => sql`r.purpose = 'protective' and r.status = 'rejected'
  and not exists (select from ${stops} a where a.deployment_id = r.deployment_id and a.symbol = r.symbol
    and a.purpose = 'protective' and a.visibility <> 'never_shown' and a.status <> 'rejected'
    and (a.decided_at, a.attempt) > (r.decided_at, r.attempt))`;

export const REFUSED_IN_A_ROW = refusedInARow(sql`orders`);

export async function listUnprotected(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<UnprotectedRecord[]> {
  return readUnprotected(database, sql`d.broker_connection_id = ${connection}`);
}

/** Everywhere. */
export async function listEveryUnprotected(database: Kysely<Tables>): Promise<UnprotectedRecord[]> {
  return readUnprotected(database, sql`true`);
}

/** Of one account, so that a decision about one of them sees it as it is now. */
export async function listUnprotectedOfAccount(
  database: Kysely<Tables>,
  account: string,
): Promise<UnprotectedRecord[]> {
  return readUnprotected(
    database,
    sql`d.broker_connection_id in (select id from broker_connections where account_id = ${account})`,
  );
}

export type UnprotectedRecord = UnprotectedPosition & {
  /** The refused stop that is tried again ever more rarely; null for one that could only not be sent. */
  readonly refusedStop: OrderId | null;
};

async function readUnprotected(
  database: Kysely<Tables>,
  which: RawBuilder<unknown>,
): Promise<UnprotectedRecord[]> {
  const { rows } = await sql<Omit<UnprotectedRecord, 'reason'> & ReasonColumns>`
    with held as materialized (
      select d.id as deployment_id, d.broker_connection_id, d.stop_loss_percentage, p.symbol, p.quantity, p.opened_at
      from following_deployments d join positions p on p.deployment_id = d.id where ${which}),
    -- Read once: what the planner believes of a table that has just grown would read it once for each stop.
    stops as materialized (
      select o.* from held h join orders o on o.deployment_id = h.deployment_id and o.symbol = h.symbol
      where o.purpose = 'protective' and (o.status = 'intended' or o.decided_at >= h.opened_at))
    (select distinct on (r.deployment_id, r.symbol) r.deployment_id as "deploymentId", r.symbol, r.reason_code,
      r.reason_params, count(*) over (partition by r.deployment_id, r.symbol)::int as refusals,
      ${SEEN} as seen, r.id as "refusedStop"
    from held p join stops r on r.deployment_id = p.deployment_id and r.symbol = p.symbol
    where p.stop_loss_percentage > 0 and ${refusedInARow(sql`stops`)} and r.decided_at >= p.opened_at
    order by r.deployment_id, r.symbol, r.decided_at desc, r.attempt desc)
    union all
    select r.deployment_id, r.symbol, r.reason_code, r.reason_params, r.send_tries, ${SEEN}, null
    from held p join stops r on r.deployment_id = p.deployment_id and r.symbol = p.symbol
    where r.broker_connection_id = p.broker_connection_id and r.status = 'intended' and r.reason_code = 'not_sent'
      and r.send_tries >= ${UNSENT_MIN}`.execute(database);
  return rows.map(({ reason_code, reason_params, ...row }) => ({
    ...row,
    reason: (parseReason({ reason_code, reason_params } as ReasonColumns) ?? {
      code: 'rejected',
      said: '',
    }) as UnprotectedPosition['reason'],
  }));
}

/** The position, and why it has no stop: changes as soon as either does. */
const SEEN = sql`concat_ws(' ', trim_scale(p.quantity), r.reason_code, r.reason_params::text)`;

/** A stop is a task once it could not be sent so often: a broker may stumble for a moment. */
const UNSENT_MIN = 3;

/** Whether another stop of its position was refused before this one, with none accepted since. */
export async function wasRefusedBefore(trx: Kysely<Tables>, stop: OrderId): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from orders o join orders r on r.deployment_id = o.deployment_id and r.symbol = o.symbol
      where o.id = ${stop} and r.id <> o.id and ${REFUSED_IN_A_ROW}) as found`.execute(trx);
  return rows[0]!.found;
}
