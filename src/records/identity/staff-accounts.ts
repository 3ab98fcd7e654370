// Who is staff, and who was asked to be.
import { type Kysely, sql } from 'kysely';
import type { StaffRole } from '#rules/identity/staff-role.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

export type StaffAccount = {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  readonly hasSecondFactor: boolean;
  readonly disabledAt: Date | null;
  readonly lastUsedAt: Date | null;
};

/** By role, then by address. */
export async function listStaff(database: Kysely<Tables>): Promise<readonly StaffAccount[]> {
  const { rows } = await sql<StaffAccount>`
    select u.id, u.email, trim(u.first_name || ' ' || u.last_name) as name, u.role, u.disabled_at as "disabledAt",
      exists (select from second_factors f where f.user_id = u.id) as "hasSecondFactor",
      (select max(s.last_used_at) from sessions s where s.user_id = u.id) as "lastUsedAt"
    from users u where u.role <> 'investor' order by u.role, u.email`.execute(database);
  return rows;
}

/** Of anybody; until the end of the transaction nobody else changes who is staff. */
export async function lockStaff(
  trx: Kysely<Tables>,
  id: string,
): Promise<
  (Pick<StaffAccount, 'id' | 'disabledAt'> & { readonly role: StaffRole | 'investor' }) | undefined
> {
  await sql`select pg_advisory_xact_lock(hashtextextended('who is staff', 0))`.execute(trx);
  const { rows } = await sql<{ id: UserId; disabledAt: Date | null; role: StaffRole | 'investor' }>`
    select id, role, disabled_at as "disabledAt" from users where id::text = ${id} for update`.execute(trx);
  return rows[0];
}

export async function countAdmins(database: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from users where role = 'admin' and disabled_at is null`.execute(database);
  return rows[0]!.count;
}

/** Null lets them in again. */
export async function setDisabled(trx: Kysely<Tables>, id: UserId, at: Instant | null): Promise<void> {
  await trx
    .updateTable('users')
    .set({ disabled_at: at === null ? null : isoText(at) })
    .where('id', '=', id)
    .execute();
}

export type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: StaffRole;
  /** Null: by the command line. */
  readonly invitedBy: string | null;
  readonly invitedAt: Date;
  /** Null until the link is mailed. */
  readonly expiresAt: Date | null;
};

type NewInvitation = Pick<Invitation, 'id' | 'email' | 'role'> & {
  readonly by: UserId | null;
  readonly at: Instant;
};

/** An open one for the address makes way: its link stops working. */
export async function insertInvitation(
  trx: Kysely<Tables>,
  { id, email, role, by, at }: NewInvitation,
): Promise<'invited' | 'has account'> {
  const { rows } = await sql`select from users where email = ${email}`.execute(trx);
  if (rows.length > 0) return 'has account';
  await sql`
    update staff_invitations set status = 'withdrawn', ended_at = ${isoText(at)}
    where email = ${email} and status = 'open'`.execute(trx);
  await trx
    .insertInto('staff_invitations')
    .values({ id, email, role, invited_by: by, invited_at: isoText(at) })
    .execute();
  return 'invited';
}

export async function listInvitations(database: Kysely<Tables>): Promise<readonly Invitation[]> {
  const { rows } = await sql<Invitation>`
    select i.id, i.email, i.role, u.email as "invitedBy", i.invited_at as "invitedAt", i.expires_at as "expiresAt"
    from staff_invitations i left join users u on u.id = i.invited_by
    where i.status = 'open' order by i.invited_at desc, i.id`.execute(database);
  return rows;
}

/** False when no such invitation is open. */
export async function withdrawInvitation(trx: Kysely<Tables>, id: string, at: Instant): Promise<boolean> {
  const { rows } = await sql`
    update staff_invitations set status = 'withdrawn', ended_at = ${isoText(at)}
    where id::text = ${id} and status = 'open' returning id`.execute(trx);
  return rows.length === 1;
}

/** The newest mailed link is the one that works. Returns what it invites to. */
export async function setInvitationLink(
  database: Kysely<Tables>,
  { id, hash, expiresAt }: { readonly id: string; readonly hash: Buffer; readonly expiresAt: Instant },
): Promise<StaffRole> {
  const row = await database
    .updateTable('staff_invitations')
    .set({ token_hash: hash, expires_at: isoText(expiresAt) })
    .where('id', '=', id)
    .returning('role')
    .executeTakeFirstOrThrow();
  return row.role as StaffRole;
}

/** That of a valid link; of two concurrent uses the second waits and then finds it used. */
export async function lockInvitation(
  trx: Kysely<Tables>,
  { hash, at }: { readonly hash: Buffer; readonly at: Instant },
): Promise<Pick<Invitation, 'id' | 'email' | 'role'> | undefined> {
  return trx
    .selectFrom('staff_invitations')
    .select(['id', 'email', 'role'])
    .where('token_hash', '=', hash)
    .where('status', '=', 'open')
    .where('expires_at', '>', new Date(at))
    .forUpdate()
    .executeTakeFirst() as Promise<Pick<Invitation, 'id' | 'email' | 'role'> | undefined>;
}

export async function markAccepted(trx: Kysely<Tables>, id: string, at: Instant): Promise<void> {
  await trx
    .updateTable('staff_invitations')
    .set({ status: 'accepted', ended_at: isoText(at) })
    .where('id', '=', id)
    .execute();
}
