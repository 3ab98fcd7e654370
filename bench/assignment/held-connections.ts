// The connections that Restate has given to this trader, in the form in which the trader knows what it may act for. The fence is that of
// the leases, with a row for each connection in place of one for each shard: a claim raises it, and a transaction holds it until its end.
import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { shardOf } from '#records/operations/trading-shards.ts';
import { markRestoration } from '#records/recovery/restorations.ts';
import { LeaseLost } from '#trader/lease-lost.ts';
import type { ShardLease, ShardLeases } from '#trader/leases/shard-lease.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { Hold } from './connection-object.ts';

/** The object of the work done once for all users: bars and evaluations. */
export const MARKET = '00000000-0000-0000-0000-000000000000';

/** Beside the product's tables. The key spans the fence, so that a change of holder waits for whoever keeps the row. */
export const FENCES = `create table connection_fences (connection uuid primary key, fence bigint not null, unique (connection, fence));
  grant select, insert, update on connection_fences to public`;

export type HeldConnections = {
  readonly leases: ShardLeases;
  /** The fence under which this trader holds the connection; null when it does not. */
  fenceOf(connection: string): string | null;
  /** Looks at the connection by `look`, a tick of the trader, until the term is over or the attempt has ended. */
  readonly hold: Hold;
};

export type HoldingOptions = {
  readonly handle: DatabaseHandle;
  readonly realNow: () => WallInstant;
  readonly look: () => Promise<void>;
  readonly onClaim?: (connection: string) => void;
  readonly termMs?: number;
};

type Held = { readonly connection: string; readonly fence: string; isLeaving: boolean };

export function holdConnections({
  handle,
  realNow,
  look,
  onClaim = () => undefined,
  termMs = TERM_MS,
}: HoldingOptions): HeldConnections {
  const held = new Map<string, Held>();
  /** The attempts of this process that are not over. */
  const attempts = new Map<string, Attempt>();
  let changes = 0;
  let restoration: Promise<number> | null = null;
  const forget = (own: Held | undefined) => {
    if (own === undefined || held.get(own.connection) !== own) return;
    held.delete(own.connection);
    changes += 1;
  };
  const claim = async (connection: string): Promise<Held> => {
    const { rows } = await handle.pool.query<{ fence: string }>(CLAIM, [connection]);
    const own = { connection, fence: rows[0]!.fence, isLeaving: false };
    held.set(connection, own);
    changes += 1;
    onClaim(connection);
    return own;
  };
  const holdAndLook = async (connection: string, ended: AbortSignal) => {
    const own = await claim(connection);
    const until = performance.now() + termMs;
    try {
      while (!ended.aborted && performance.now() < until) {
        await look();
        await pause(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
      }
    } finally {
      own.isLeaving = true;
      if (ended.aborted) forget(own);
      // One more look, without it: work in progress ends, and its session is closed.
      await look().catch(() => undefined);
      forget(own);
    }
    if (ended.aborted) throw new Error('Restate has ended this attempt');
  };
  return {
    fenceOf: (connection) => held.get(connection)?.fence ?? null,
    leases: {
      async current() {
        restoration ??= markRestoration(handle.database, realNow());
        return leaseOf(held, { key: String(changes), restoration: await restoration });
      },
      surplus: () => [...held.values()].flatMap(({ connection, isLeaving }) => (isLeaving ? shard(connection) : [])),
      async release(shards) {
        for (const own of held.values()) if (shards.includes(shard(own.connection))) forget(own);
      },
      async close() {
        for (const own of held.values()) forget(own);
      },
    },
    async hold(connection, ended) {
      // A new attempt may be here before the end of the former one is: Restate was killed, and its streams break one by one.
      for (let former = attempts.get(connection); former !== undefined; former = attempts.get(connection)) {
        former.giveUp.abort();
        await former.over;
      }
      const giveUp = new AbortController();
      const { promise: over, resolve } = Promise.withResolvers<void>();
      attempts.set(connection, { giveUp, over });
      try {
        await holdAndLook(connection, AbortSignal.any([ended, giveUp.signal]));
      } finally {
        attempts.delete(connection);
        resolve();
      }
    },
  };
}

type Attempt = { readonly giveUp: AbortController; readonly over: Promise<void> };

const CLAIM = `insert into connection_fences (connection, fence) values ($1, 1)
  on conflict (connection) do update set fence = connection_fences.fence + 1 returning fence::text`;

const shard = (connection: string) => shardOf(connection as BrokerConnectionId);

function leaseOf(
  holding: ReadonlyMap<string, Held>,
  { key, restoration }: Pick<ShardLease, 'key' | 'restoration'>,
): ShardLease {
  const held = new Map([...holding].filter(([, { isLeaving }]) => !isLeaving));
  const isValid = () => [...held].every(([connection, own]) => holding.get(connection) === own);
  const fence: ShardLease['fence'] = async (trx, connections) => {
    const wanted = new Set<string>(connections);
    const ours = [...wanted].flatMap((connection) => held.get(connection) ?? []);
    if (ours.length < wanted.size || ours.some((own) => holding.get(own.connection) !== own))
      throw new LeaseLost('its connection is not ours any more');
    if ((await lockConnections(trx, ours)) < wanted.size)
      throw new LeaseLost('its connection was taken by another trader');
  };
  const connections = [...held.keys()].filter((connection) => connection !== MARKET);
  return {
    shards: [...new Set(connections.map(shard))].toSorted((a, b) => a - b),
    hasMarket: held.has(MARKET),
    key,
    restoration,
    fence,
    fenceMarket: (trx) => fence(trx, [MARKET as BrokerConnectionId]),
    isValid,
  };
}

/** Of the leases a lock of shards; the audit log names the trader, as there. */
async function lockConnections(trx: Parameters<ShardLease['fence']>[0], held: readonly Held[]): Promise<number> {
  const { rows } = await sql`
    select f.connection, set_config('bellwether.actor', 'trader', true) from connection_fences f
    join unnest(${held.map(({ connection }) => connection)}::uuid[], ${held.map(({ fence }) => fence)}::bigint[])
      as h (connection, fence) on h.connection = f.connection and h.fence = f.fence
    order by f.connection for key share of f`.execute(trx);
  return rows.length;
}

/** As the product's trader ticks. */
const LOOK_EVERY_MS = 300;
/** The load is divided again at the end of a term. */
const TERM_MS = 300_000;
