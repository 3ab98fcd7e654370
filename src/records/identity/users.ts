import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { StaffRole } from '#rules/identity/staff-role.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';

export type UserRecord = {
  readonly id: UserId;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth: string | null;
  readonly country: string | null;
  readonly role: UserRole;
  readonly isEmailVerified: boolean;
  readonly createdAt: Date;
};

type NewUser = {
  /** In lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly lastName: string;
};

/** The new person's id, or null when the e-mail is taken. */
export async function createUser(database: Database, user: NewUser): Promise<UserId | null> {
  const row = await database
    .insertInto('users')
    .values({
      id: randomUUID() as string as UserId,
      email: user.email,
      password_hash: user.passwordHash,
      first_name: user.firstName,
      last_name: user.lastName,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row ? row.id : null;
}

export async function findUser(database: Database, id: UserId): Promise<UserRecord | undefined> {
  const row = await database
    .selectFrom('users')
    .select([
      'id',
      'email',
      'first_name',
      'last_name',
      'date_of_birth',
      'country',
      'role',
      'email_verified_at',
      'created_at',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      id,
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
      dateOfBirth: row.date_of_birth,
      country: row.country,
      role: row.role,
      isEmailVerified: row.email_verified_at !== null,
      createdAt: row.created_at,
    }
  );
}

export async function getUser(database: Database, id: UserId): Promise<UserRecord> {
  const found = await findUser(database, id);
  if (found === undefined) throw new Error('a person has no record');
  return found;
}

type Credentials = { readonly id: UserId; readonly passwordHash: string };
type SignInFacts = Credentials & { readonly isDisabled: boolean };

/** `email` in lower case. */
export async function findCredentials(database: Database, email: string): Promise<SignInFacts | undefined> {
  const row = await database
    .selectFrom('users')
    .select(['id', 'password_hash', 'disabled_at'])
    .where('email', '=', email)
    .executeTakeFirst();
  return row && { id: row.id, passwordHash: row.password_hash, isDisabled: row.disabled_at !== null };
}

export async function getPasswordHash(database: Database, id: UserId): Promise<string> {
  const row = await database
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.password_hash;
}

export async function changePasswordHash(
  database: Database,
  { id, passwordHash }: Credentials,
): Promise<void> {
  await database.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute();
}

type UserChange = {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly dateOfBirth?: string;
  readonly country?: string;
};

/** Absent fields stay as they are. */
export async function changeUser(database: Database, id: UserId, change: UserChange): Promise<void> {
  await database
    .updateTable('users')
    .set({
      id: sql`id`,
      first_name: change.firstName,
      last_name: change.lastName,
      date_of_birth: change.dateOfBirth,
      country: change.country,
    })
    .where('id', '=', id)
    .execute();
}

export type UserRole = StaffRole | 'investor';

/** Null where the address has an account: whoever registered it first must not become staff by it. */
export async function createStaff(
  database: Database,
  user: NewUser & { readonly role: StaffRole },
): Promise<UserId | null> {
  const id = await createUser(database, user);
  if (id !== null)
    await database
      .updateTable('users')
      .set({ role: user.role, email_verified_at: sql`now()` })
      .where('id', '=', id)
      .execute();
  return id;
}

/** From the next request on the account is an investor's. */
export async function takeRole(database: Database, id: UserId): Promise<void> {
  await database.updateTable('users').set({ role: 'investor' }).where('id', '=', id).execute();
}

/** `email` in lower case. */
export async function findRole(
  database: Database,
  email: string,
): Promise<{ readonly id: UserId; readonly role: UserRole } | undefined> {
  const row = await database
    .selectFrom('users')
    .select(['id', 'role'])
    .where('email', '=', email)
    .executeTakeFirst();
  return row && { id: row.id, role: row.role };
}

export async function getRole(database: Database, id: UserId): Promise<UserRole> {
  const { role } = await database
    .selectFrom('users')
    .select('role')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return role as UserRole;
}
