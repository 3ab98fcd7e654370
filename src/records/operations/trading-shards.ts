// Which trader holds which shard, by leases on the database's clock. A claim raises the fence of the shard, so that any
// transaction can detect a former holder.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type Kysely, sql } from 'kysely';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

export const SHARDS = 64;
/** The lease on work done once for all users: bars and evaluations. */
export const MARKET_SHARD = 64;

/** Same as shard_of in the database. */
export function shardOf(connection: BrokerConnectionId): number {
  const end = connection.length;
  return (hexDigit(connection, end - 2) * 16 + hexDigit(connection, end - 1)) & (SHARDS - 1);
}

function hexDigit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // '0' is 48; 'A' and 'a' count as ten.
  return code < 58 ? code - 48 : (code | 32) - 87;
}

export type HeldShard = { readonly shard: number; readonly fence: string };

export type Presence = {
  /** False once the connection that proves us alive is gone. */
  isLive(): boolean;
  readonly lockKey: string;
  end(): Promise<void>;
};

/** A connection that only holds a lock: other traders see at once when this process is gone. */
export async function showPresence(pool: pg.Pool): Promise<Presence> {
  const client = await pool.connect();
  let live = true;
  const lost = () => {
    live = false;
  };
  client.on('error', lost);
  client.on('end', lost);
  try {
    // Seven bytes: always within the positive range of a bigint.
    const lockKey = BigInt(`0x${randomBytes(7).toString('hex')}`).toString();
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    return {
      isLive: () => live,
      lockKey,
      end: async () => {
        live = false;
        client.off('error', lost);
        client.off('end', lost);
        client.on('error', () => undefined);
        client.release(true);
      },
    };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

export async function isTraderAlive(database: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ is_alive: boolean }>`
    select exists (select from traders where expires_at > clock_timestamp()) as is_alive`.execute(database);
  return rows[0]?.is_alive === true;
}

type Renewal = {
  readonly held: readonly HeldShard[];
  /** The number of live traders, this one included. */
  readonly traders: number;
};

export type Claimant = { readonly id: string; readonly lockKey: string; readonly leaseMs: number };

/** Reports the trader alive, extends its leases, and takes free shards up to its fair share. */
export async function renewShards(database: Kysely<Tables>, claimant: Claimant): Promise<Renewal> {
  const { id, lockKey, leaseMs } = claimant;
  const until = sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
  return database.transaction().execute(async (trx) => {
    await sql`insert into traders (id, lock_key, expires_at) values (${id}, ${lockKey}, ${until})
      on conflict (id) do update set lock_key = excluded.lock_key, expires_at = excluded.expires_at`.execute(
      trx,
    );
    await sql`with gone as (
        select id from traders where id <> ${id}
          and (expires_at < clock_timestamp() or pg_try_advisory_xact_lock(lock_key))
        for update skip locked)
      delete from traders t using gone where t.id = gone.id`.execute(trx);
    const { rows: live } = await sql<{ traders: number }>`
      select count(*)::int as traders from traders`.execute(trx);
    const kept = await sql<HeldShard>`
      with mine as (select shard from trading_shards where holder = ${id} order by shard for no key update)
      update trading_shards s set expires_at = ${until} from mine where s.shard = mine.shard
      returning s.shard, s.fence::text`.execute(trx);
    const { traders } = live[0]!;
    const held = [...kept.rows];
    const wanted = fairShare(traders) - held.filter(({ shard }) => shard !== MARKET_SHARD).length;
    if (wanted > 0) held.push(...(await claim(trx, claimant, { from: 0, to: SHARDS - 1, wanted })));
    if (!held.some(({ shard }) => shard === MARKET_SHARD)) {
      held.push(...(await claim(trx, claimant, { from: MARKET_SHARD, to: MARKET_SHARD, wanted: 1 })));
    }
    return { held, traders };
  });
}

/** The most shards that one of so many traders may hold. */
export function fairShare(traders: number): number {
  return Math.ceil(SHARDS / Math.max(1, traders));
}

type Range = { readonly from: number; readonly to: number; readonly wanted: number };

/** Skips rows locked by a transaction of their holder: no trader is overtaken in the middle of a commit. */
async function claim(
  trx: Kysely<Tables>,
  { id, leaseMs }: Claimant,
  { from, to, wanted }: Range,
): Promise<readonly HeldShard[]> {
  const { rows } = await sql<HeldShard>`
    with free as (
      select shard from trading_shards s
      where shard between ${from} and ${to} and holder is distinct from ${id}
        and (holder is null or expires_at < clock_timestamp()
          or not exists (select from traders t where t.id = s.holder))
      order by random() limit ${wanted} for update skip locked)
    update trading_shards s set holder = ${id}, fence = s.fence + 1,
      expires_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    from free where s.shard = free.shard
    returning s.shard, s.fence::text`.execute(trx);
  return rows;
}

/** Releases shards at once; the others take them at their next renewal. */
export async function releaseShards(
  database: Kysely<Tables>,
  { id, shards }: { readonly id: string; readonly shards: readonly number[] },
): Promise<void> {
  await sql`update trading_shards set holder = null where holder = ${id} and shard = any(${shards}::int[])`.execute(
    database,
  );
}

/** The trader releases all its shards. */
export async function leaveTrading(database: Kysely<Tables>, id: string): Promise<void> {
  await sql`update trading_shards set holder = null where holder = ${id}`.execute(database);
  await sql`delete from traders where id = ${id}`.execute(database);
}

/**
 * The given shards that are still held under these fences; they stay so until the transaction ends. The server cuts off a
 * holder that stalls in it (see TRANSACTION_PATIENCE_MS), so that it blocks no one. The
 * audit log names the trader.
 */
export async function lockShards(
  trx: Kysely<Tables>,
  held: readonly HeldShard[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ shard: number }>`
    select s.shard, set_config('bellwether.actor', 'trader', true)
    from trading_shards s
    join unnest(${held.map(({ shard }) => shard)}::int[], ${held.map(({ fence }) => fence)}::bigint[])
      as h (shard, fence) on h.shard = s.shard and h.fence = s.fence
    order by s.shard for key share of s`.execute(trx);
  return new Set(rows.map(({ shard }) => shard));
}

/**
 * Well within the lease: the open transaction of a stopped process ends before another takes its work, and a transaction
 * that waits longer for a lock gives up and tries again.
 */
export const TRANSACTION_PATIENCE_MS = 10_000;
