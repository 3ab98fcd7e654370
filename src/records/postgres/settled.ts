import { sql } from 'kysely';

/** Of deployments `d`. After a restore of the database nothing is decided, billed or moved until the broker's side is known. */
export const IS_SETTLED = sql<boolean>`d.broker_connection_id <> all(array(select u.connection_id from unsettled_connections u))`;
