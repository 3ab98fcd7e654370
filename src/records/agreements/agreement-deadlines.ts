// Clients who signed an older version of the agreement: by when they must sign the newest, and what they have been told.
import { type Kysely, sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { parseWallInstant, type WallInstant, wallText } from '#units/wall-instant.ts';
import type { Tables } from '../tables.ts';

export async function findAgreementDeadline(database: Kysely<Tables>, version: string): Promise<Date | null> {
  const row = await database
    .selectFrom('agreement_deadlines')
    .select('sign_by')
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.sign_by ?? null;
}

/** Until the end of the transaction nobody else sets it, also where there is none yet. */
export async function lockAgreementDeadline(trx: Kysely<Tables>, version: string): Promise<Date | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agreement ${version}`}, 0))`.execute(trx);
  return findAgreementDeadline(trx, version);
}

export async function setAgreementDeadline(
  trx: Kysely<Tables>,
  version: string,
  signBy: Date,
): Promise<void> {
  await sql`
    insert into agreement_deadlines (version, sign_by) values (${version}, ${signBy})
    on conflict (version) do update set sign_by = excluded.sign_by, decided_at = clock_timestamp()`.execute(
    trx,
  );
}

/** The version that a person signed last; null while they have signed none. */
export async function findNewestSigned(database: Kysely<Tables>, userId: UserId): Promise<string | null> {
  const row = await database
    .selectFrom('agreements')
    .select('version')
    .where('user_id', '=', userId)
    .where('status', '=', 'signed')
    .orderBy('signed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? null;
}

/** How many clients signed an older version and not this one. */
export async function countUnrenewed(database: Kysely<Tables>, version: string): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select count(distinct a.user_id)::int as number from agreements a where ${unrenewed(version)}`.execute(
    database,
  );
  return rows[0]!.number;
}

export type Unrenewed = {
  readonly userId: UserId;
  /** The version that they signed last. */
  readonly signed: string;
  readonly toldAt: WallInstant;
};

/** Clients who signed an older version and not this one; each is noted as told, once, at `now`. */
export async function listUnrenewed(
  trx: Kysely<Tables>,
  version: string,
  now: WallInstant,
): Promise<readonly Unrenewed[]> {
  await sql`
    insert into agreement_changes_told (user_id, version, told_at)
    select distinct a.user_id, ${version}, ${wallText(now)}::timestamptz from agreements a where ${unrenewed(version)}
    on conflict do nothing`.execute(trx);
  const { rows } = await sql<{ userId: UserId; signed: string; toldAt: Date }>`
    select distinct on (a.user_id) a.user_id as "userId", a.version as signed, t.told_at as "toldAt"
    from agreements a join agreement_changes_told t on t.user_id = a.user_id and t.version = ${version}
    where ${unrenewed(version)} order by a.user_id, a.signed_at desc`.execute(trx);
  return rows.map((row) => ({ ...row, toldAt: parseWallInstant(row.toldAt) }));
}

const unrenewed = (version: string) => sql`a.status = 'signed' and not exists (select from agreements n
  where n.user_id = a.user_id and n.version = ${version} and n.status = 'signed')`;
