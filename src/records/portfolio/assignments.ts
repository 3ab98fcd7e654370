// Who in an account holds a contract, and which of its assignments are booked.
import { type Kysely, sql } from 'kysely';
import type { BrokerAccountId, DeploymentId, Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { parseQuantity, type Quantity } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

type OfAccount = { readonly accountId: BrokerAccountId; readonly symbol: Symbol };

/** Deployments of real money or paper: the largest short first, and of equal ones the one that began first. */
export async function listHolders(
  database: Kysely<Tables>,
  { accountId, symbol }: OfAccount,
): Promise<readonly { readonly deploymentId: DeploymentId; readonly held: Quantity }[]> {
  const { rows } = await sql<{ id: DeploymentId; held: string }>`
    select p.deployment_id as id, p.quantity::text as held from positions p join deployments d on d.id = p.deployment_id
    join broker_connections c on c.id = d.broker_connection_id
    where c.account_id = ${accountId} and d.mode = 'real' and p.symbol = ${symbol} and p.quantity <> 0
    order by p.quantity, d.deployed_at, d.created_at, p.deployment_id`.execute(database);
  return rows.map(({ id, held }) => ({ deploymentId: id, held: parseQuantity(held) }));
}

/** By our own rules, after that session. */
export async function isEndOfDayBooked(
  database: Kysely<Tables>,
  { accountId, symbol, date }: OfAccount & { readonly date: IsoDate },
): Promise<boolean> {
  const { rows } = await sql`
    select from position_events e join deployments d on d.id = e.deployment_id
    join broker_connections c on c.id = d.broker_connection_id
    where c.account_id = ${accountId} and e.symbol = ${symbol} and e.kind = 'assignment'
      and e.execution = '' and e.date = ${date}::date limit 1`.execute(database);
  return rows.length > 0;
}

/** Contracts that are booked by these ids of the broker; above zero. */
export async function bookedContracts(
  database: Kysely<Tables>,
  { accountId, symbol, activityIds }: OfAccount & { readonly activityIds: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; contracts: string }>`
    select e.execution as id, (-sum((e.event ->> 'contracts')::numeric))::text as contracts
    from position_events e join deployments d on d.id = e.deployment_id
    join broker_connections c on c.id = d.broker_connection_id
    where c.account_id = ${accountId} and e.symbol = ${symbol} and e.kind = 'assignment'
      and e.execution = any(${activityIds}) group by 1`.execute(database);
  return new Map(rows.map(({ id, contracts }) => [id, Number(contracts)]));
}
