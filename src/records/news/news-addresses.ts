// Where a person gets news outside of the product: browsers and chats, and the codes that link a chat.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { NewsChannelName } from '#rules/news/news-terms.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Database, Transaction } from '../postgres/database.ts';

export type AddressRecord = {
  readonly id: string;
  readonly channel: NewsChannelName;
  readonly name: string;
  readonly createdAt: Date;
};

/** The oldest first. */
export async function listAddresses(database: Database, userId: UserId): Promise<readonly AddressRecord[]> {
  return (await database
    .selectFrom('news_addresses')
    .select(['id', 'channel', 'name', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()) as AddressRecord[];
}

type NewAddress = {
  readonly id: string;
  readonly userId: UserId;
  readonly channel: NewsChannelName;
  readonly name: string;
  readonly sealedAddress: Buffer;
  /** See `fingerprintOf`. */
  readonly fingerprint: Buffer;
  readonly vapidKey: string | null;
  readonly at: Instant;
};

/**
 * The same browser or chat twice is once. Whoever had it before loses it, with what waits for it. As everybody: it may be another person's.
 */
export async function putAddress(trx: Transaction, address: NewAddress): Promise<void> {
  const { id, userId, channel, name, sealedAddress, fingerprint, vapidKey, at } = address;
  const { rows } = await sql<{ id: string }>`
    select id from news_addresses where channel = ${channel} and fingerprint = ${fingerprint} for update`.execute(
    trx,
  );
  for (const former of rows) await dropAddress(trx, former.id, 'removed');
  await trx
    .insertInto('news_addresses')
    .values({
      id,
      user_id: userId,
      channel,
      name,
      sealed_address: sealedAddress,
      fingerprint,
      vapid_key: vapidKey,
      created_at: isoText(at),
    })
    .execute();
}

export function fingerprintOf(address: string): Buffer {
  return createHash('sha256').update(address).digest();
}

/** What waits for it ends, and stays in the log. False where there is none of this id. */
export async function dropAddress(
  trx: Transaction,
  id: string,
  problem: 'removed' | 'gone',
): Promise<boolean> {
  await sql`
    update news_deliveries set status = 'failed', problem = ${problem}
    where address_id = ${id} and status = 'waiting'`.execute(trx);
  const { rows } = await sql`delete from news_addresses where id = ${id} returning id`.execute(trx);
  return rows.length === 1;
}

export async function findAddress(
  database: Database,
  { userId, id }: { readonly userId: UserId; readonly id: string },
): Promise<AddressRecord | undefined> {
  if (!isUuid(id)) return undefined;
  return (await listAddresses(database, userId)).find((address) => address.id === id);
}

/** Of a chat that ends its link itself. */
export async function findByFingerprint(
  database: Database,
  channel: NewsChannelName,
  fingerprint: Buffer,
): Promise<{ readonly id: string } | undefined> {
  return database
    .selectFrom('news_addresses')
    .select('id')
    .where('channel', '=', channel)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
}

/** In place of the one before it. */
export async function putTelegramCode(
  database: Database,
  {
    userId,
    hash,
    expiresAt,
  }: { readonly userId: UserId; readonly hash: Buffer; readonly expiresAt: Instant },
): Promise<void> {
  await sql`
    insert into telegram_codes (user_id, code_hash, expires_at) values (${userId}, ${hash}, ${isoText(expiresAt)})
    on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at`.execute(
    database,
  );
}

/** Whose it is; it counts once. */
export async function takeTelegramCode(
  trx: Transaction,
  { hash, at }: { readonly hash: Buffer; readonly at: Instant },
): Promise<UserId | null> {
  const { rows } = await sql<{ user_id: UserId; is_open: boolean }>`
    delete from telegram_codes where code_hash = ${hash} returning user_id, expires_at > ${isoText(at)} as is_open`.execute(
    trx,
  );
  return rows[0]?.is_open === true ? rows[0].user_id : null;
}
