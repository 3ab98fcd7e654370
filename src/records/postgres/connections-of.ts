import { type RawBuilder, sql } from 'kysely';

/** The connections of a brokerage account, found first: no estimate can make a query read every row of a table to compare its connection. */
export function connectionsOf(account: string): RawBuilder<string[]> {
  return sql`array(select id from broker_connections where account_id = ${account})`;
}
