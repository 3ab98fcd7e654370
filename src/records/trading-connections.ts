// Broker connections as the trader needs them: those that are active and trade for somebody.
import { type Kysely, sql } from 'kysely';
import type { BrokerAccountId, BrokerConnectionId } from '#units/identifiers.ts';
import type { Tables } from './tables.ts';

export type TradingConnection = {
  readonly id: BrokerConnectionId;
  readonly accountId: BrokerAccountId;
  readonly sealedCredentials: Buffer;
};

/** `all`: every active one that a deployment not yet ended uses. The others: those with orders in these states. */
export async function listTradingConnections(
  database: Kysely<Tables>,
  which: 'all' | 'with orders to send' | 'with orders at the broker',
): Promise<TradingConnection[]> {
  const used = {
    all: sql`exists (select from deployments d where d.broker_connection_id = c.id
      and d.status not in ('stopped', 'liquidated'))`,
    'with orders to send': sql`exists (select from orders o where o.broker_connection_id = c.id
      and o.status = 'intended')`,
    'with orders at the broker': sql`exists (select from orders o where o.broker_connection_id = c.id
      and o.status in ('sending', 'working', 'unknown'))`,
  }[which];
  const { rows } = await sql<{ id: string; account_id: string; sealed_credentials: Buffer }>`
    select c.id, c.account_id, c.sealed_credentials from broker_connections c
    where c.status = 'active' and c.account_id is not null and c.sealed_credentials is not null and ${used}
    order by c.id`.execute(database);
  return rows.map((row) => ({
    id: row.id as BrokerConnectionId,
    accountId: row.account_id as BrokerAccountId,
    sealedCredentials: row.sealed_credentials,
  }));
}

/** The broker says that the person's permission is gone. */
export async function revokeConnection(
  database: Kysely<Tables>,
  id: BrokerConnectionId,
  reason: string,
): Promise<void> {
  await database
    .updateTable('broker_connections')
    .set({ status: 'revoked', status_reason: reason, sealed_credentials: null })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .execute();
}
