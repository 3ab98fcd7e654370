// A database that was restored says so itself: PostgreSQL gives every recovery a timeline, and every cluster a number, and both
// stand in a row. When they differ, the rows went on from an earlier moment than the world outside, and nothing is sent before
// that is known. A standby that took over counts too, as it may lack the last rows, unless the operator says that it confirms each commit
// and the traders' last sign of life in it is fresh.
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { parseWallInstant, type WallInstant, wallText } from '#units/wall-instant.ts';
import { openIncident } from '../incidents/incidents.ts';
import type { Database } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';

type Place = { readonly cluster: string; readonly timeline: string };

/**
 * Compares where the database is with where it was, and marks it once when that has changed, all in one transaction. `stated`: an
 * operator says that it was restored, where PostgreSQL cannot tell, as after a copy of its files. `hasSynchronousStandby`: the operator
 * says that a standby which takes over has every acknowledged commit. Returns the newest mark, 0 without any.
 */
export async function markRestoration(
  database: Database,
  at: WallInstant,
  { stated = false, hasSynchronousStandby = false } = {},
): Promise<number> {
  return database.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('restoration', 0))`.execute(trx);
    const place = await readPlace(trx);
    const { rows } = await sql<{ value: Place }>`
      select value from settings where key = ${PLACE}`.execute(trx);
    const noted = rows[0]?.value;
    const isSame = noted?.cluster === place.cluster && noted.timeline === place.timeline;
    if (isSame && !stated) return newestMark(trx);
    await sql`insert into settings (key, value) values (${PLACE}, ${JSON.stringify(place)}::jsonb)
      on conflict (key) do update set value = excluded.value`.execute(trx);
    if (noted === undefined && !stated) return newestMark(trx);
    const isTakeover = !stated && noted?.cluster === place.cluster && hasSynchronousStandby;
    if (isTakeover && (await wasInUse(trx))) return newestMark(trx);
    const cause = isSame ? 'stated' : noted?.cluster === place.cluster ? 'timeline' : 'cluster';
    return mark(trx, cause, at);
  });
}

/** Whether a new connection answers from elsewhere than was noted: then the mark comes before any work. */
export async function isElsewhere(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    `select from settings, pg_control_system() where key = '${PLACE}' and value <> ${PLACE_NOW}`,
  );
  return rows.length > 0;
}

const PLACE = 'database-place';

const PLACE_NOW = `jsonb_build_object('cluster', system_identifier::text,
  'timeline', substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))`;

async function readPlace(trx: Kysely<Tables>): Promise<Place> {
  const { rows } = await sql<{ place: Place }>`
    select ${sql.raw(PLACE_NOW)} as place from pg_control_system()`.execute(trx);
  return rows[0]!.place;
}

/**
 * A restore from a backup has a new timeline like a takeover, and takes longer: its traders were last alive long ago. The clock of a new
 * primary may be wrong by less.
 */
async function wasInUse(trx: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    select from traders where expires_at > clock_timestamp() - ${TAKEOVER_WITHIN_MINUTES} * interval '1 minute' limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

const TAKEOVER_WITHIN_MINUTES = 3;

async function newestMark(trx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from restorations`.execute(
    trx,
  );
  return rows[0]!.id;
}

async function mark(
  trx: Kysely<Tables>,
  cause: 'timeline' | 'cluster' | 'stated',
  at: WallInstant,
): Promise<number> {
  const { rows } = await sql<{ id: number; restored_to: Date | null }>`
    insert into restorations (cause, restored_to, evaluated_to)
    select ${cause}, (select at from audit_log order by seq desc limit 1), (select max(as_of) from targets)
    returning id, restored_to`.execute(trx);
  const { id, restored_to: restoredTo } = rows[0]!;
  for (const change of CHANGES) await sql.raw(change).execute(trx);
  await sql`insert into unsettled_connections (connection_id, restoration_id)
    select c.id, ${id} from broker_connections c
    where c.status in ('active', 'revoked') and exists (select from live_deployments d where d.broker_connection_id = c.id)
    on conflict (connection_id) do update set restoration_id = excluded.restoration_id`.execute(trx);
  await openIncident(
    trx,
    {
      kind: 'database_restored',
      subject: String(id),
      facts: { code: cause, until: restoredTo === null ? null : wallText(parseWallInstant(restoredTo)) },
    },
    at,
  );
  return id;
}

/** What may have happened after the restored moment, and must not happen twice. */
const CHANGES = [
  // A trader that still lives has a higher fence than the restored row: no new holder may ever reach it.
  `update trading_shards set holder = null, fence = fence + 1000000000`,
  `delete from traders`,
  // What was about to leave may have left: it is looked for at the broker, and never sent again.
  `update orders set status = 'unknown', reason_code = 'no_answer', reason_params = null, reason_since = clock_timestamp(),
    unknown_since = clock_timestamp(), sent_at = coalesce(sent_at, decided_at) where status in ('intended', 'sending')`,
  `update orders set absent_since = null where absent_since is not null and status in ('working', 'unknown')`,
  // Sessions that were ended since would be back, and so would links that were used.
  `update sessions set ended_at = clock_timestamp() where ended_at is null`,
  `update password_resets set used_at = clock_timestamp() where used_at is null`,
  `delete from email_verifications`,
  `delete from passkey_challenges`,
  `delete from download_links`,
  `delete from telegram_codes`,
  `update staff_invitations set token_hash = null, expires_at = null where status = 'open'`,
  `update api_key_acts set expires_at = clock_timestamp() where status = 'waiting'`,
  `delete from broker_requests`,
  // They may have been sent since. The news itself is in the app.
  `update mails set status = 'unknown', problem = 'the database was restored', ended_at = clock_timestamp()
    where status in ('waiting', 'sending')`,
];
