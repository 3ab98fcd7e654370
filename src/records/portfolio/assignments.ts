// Who in an account has written a contract, and which of its assignments are booked.
import { type Kysely, sql } from 'kysely';
import type { BrokerAccountId, DeploymentId, Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { parseQuantity, type Quantity } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

type OfAccount = { readonly accountId: BrokerAccountId; readonly symbol: Symbol };

/** Those that are short of it, the largest first. */
export async function listWriters(
  database: Kysely<Tables>,
  { accountId, symbol }: OfAccount,
): Promise<readonly { readonly deploymentId: DeploymentId; readonly held: Quantity }[]> {
  const { rows } = await sql<{ id: DeploymentId; held: string }>`
    select p.deployment_id as id, p.quantity::text as held from positions p join deployments d on d.id = p.deployment_id
    join broker_connections c on c.id = d.broker_connection_id
    where c.account_id = ${accountId} and d.mode = 'real' and p.symbol = ${symbol} and p.quantity < 0
    order by p.quantity, p.deployment_id`.execute(database);
  return rows.map(({ id, held }) => ({ deploymentId: id, held: parseQuantity(held) }));
}

/** From this activity of the broker, or by our own rules after the same session. */
export async function isAssignmentBooked(
  database: Kysely<Tables>,
  {
    accountId,
    symbol,
    activityId,
    date,
  }: OfAccount & { readonly activityId: string; readonly date: IsoDate },
): Promise<boolean> {
  const { rows } = await sql`
    select from position_events e join deployments d on d.id = e.deployment_id
    join broker_connections c on c.id = d.broker_connection_id
    where c.account_id = ${accountId} and e.symbol = ${symbol} and e.kind = 'assignment'
      and (e.execution = ${activityId} or (e.execution = '' and e.date = ${date}::date)) limit 1`.execute(
    database,
  );
  return rows.length > 0;
}
