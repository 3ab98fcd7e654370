// Accounts under an adviser, which a person of the staff links to a client.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- Who linked the account to this client; null where the client signed in at the broker.
alter table broker_connections add column linked_by text;
-- The adviser may trade for every account, so whose it is rests on this row alone: one account has one client.
create unique index broker_connections_linked_account on broker_connections (broker_id, account_id)
  where linked_by is not null and status = 'active';
`)
    .execute(database);
}
