import { type Kysely, sql } from 'kysely';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { parseWallInstant, type WallInstant } from '#units/wall-instant.ts';
import { endIncident } from '../incidents/incidents.ts';
import type { Tables } from '../tables.ts';

/** Whether this database was ever restored. */
export async function wasRestored(database: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select from restorations limit 1`.execute(database);
  return rows.length > 0;
}

/** When the restore was found that a connection has not been compared after; null when it has been. */
export async function findUnsettledSince(
  database: Kysely<Tables>,
  connection: BrokerConnectionId,
): Promise<WallInstant | null> {
  const { rows } = await sql<{ found_at: Date }>`
    select r.found_at from unsettled_connections u join restorations r on r.id = u.restoration_id
    where u.connection_id = ${connection}`.execute(database);
  return rows[0] === undefined ? null : parseWallInstant(rows[0].found_at);
}

/** The last one of a restore ends its incident; what has no session at its broker is compared when it has one again. */
export async function settleConnection(
  trx: Kysely<Tables>,
  connection: BrokerConnectionId,
  at: WallInstant,
): Promise<void> {
  const { rows } = await sql<{ restoration_id: number }>`
    delete from unsettled_connections where connection_id = ${connection} returning restoration_id`.execute(
    trx,
  );
  const restoration = rows[0]?.restoration_id;
  if (restoration === undefined) return;
  const { rows: left } = await sql`
    select from unsettled_connections u join broker_connections c on c.id = u.connection_id
    where u.restoration_id = ${restoration} and c.status = 'active' limit 1`.execute(trx);
  if (left.length === 0)
    await endIncident(
      trx,
      { kind: 'database_restored', subject: String(restoration) },
      { how: 'cleared', at },
    );
}
