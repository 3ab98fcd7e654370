// The shards that this trader holds, renewed beside its ticks. What is decided, booked or sent for a shard is fenced: it
// is written only while nobody else has taken the shard, and leaves only while the lease lasts on our own steady clock.
import type { Database, DatabaseHandle } from '#records/postgres/database.ts';
import {
  fairShare,
  type HeldShard,
  leaveTrading,
  lockShards,
  MARKET_SHARD,
  type Presence,
  releaseShards,
  renewShards,
  shardOf,
  showPresence,
} from '#records/operations/trading-shards.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { SECOND_MS } from '#units/instant.ts';
import type { TraderLogger } from '../dependencies.ts';

export type ShardHold = {
  readonly shards: readonly number[];
  /** Whether it is this trader that takes in bars and evaluates, for everybody. */
  readonly hasMarket: boolean;
  /** Differs when anything was gained or lost. */
  readonly key: string;
  /** Keeps these connections ours until the transaction ends; throws ShardLost when one is not. */
  fence(trx: Database, connections: Iterable<BrokerConnectionId>): Promise<void>;
  fenceMarket(trx: Database): Promise<void>;
  /** Whether nobody can have taken anything at this moment. */
  lasts(): boolean;
};

/** Another trader has the work now, or soon. Nothing was written. */
export class ShardLost extends Error {}

export type ShardKeeper = {
  /** What is held now. The first call claims. */
  hold(): Promise<ShardHold>;
  /** Held, but more than our share since others joined: to be left once nothing is under way there. */
  surplus(): readonly number[];
  release(shards: readonly number[]): Promise<void>;
  /** Lets everything go. */
  close(): Promise<void>;
};

export type KeeperOptions = {
  readonly handle: DatabaseHandle;
  readonly newId: () => string;
  readonly logger: TraderLogger;
  /** Milliseconds that never jump. */
  readonly steadyMs: () => number;
};

type Lease = {
  readonly id: string;
  readonly presence: Presence;
  readonly timer: NodeJS.Timeout;
  held: ReadonlyMap<number, HeldShard>;
  /** On the steady clock: from then on another trader may have taken over. */
  lastsUntil: number;
  renewAt: number;
  surplus: readonly number[];
};

export function createShardKeeper({ handle, newId, logger, steadyMs }: KeeperOptions): ShardKeeper {
  const { database, pool } = handle;
  let lease: Lease | null = null;
  let renewing: Promise<void> | null = null;

  const renew = (own: Lease): Promise<void> => {
    renewing ??= renewLease(database, own, steadyMs).finally(() => {
      renewing = null;
    });
    return renewing;
  };
  const begin = async (): Promise<Lease> => {
    const presence = await showPresence(pool);
    const timer = setInterval(() => {
      if (lease === null || !presence.isLive()) return;
      renew(lease).catch((error: unknown) => logger.warn({ error }, 'trader: its shards were not renewed'));
    }, RENEW_MS);
    timer.unref();
    const nothing = { held: new Map(), lastsUntil: 0, renewAt: 0, surplus: [] };
    return { id: newId(), presence, timer, ...nothing };
  };
  const end = async () => {
    const ended = lease;
    lease = null;
    if (ended === null) return;
    clearInterval(ended.timer);
    await renewing?.catch(() => undefined);
    try {
      await leaveTrading(database, ended.id);
    } catch (error) {
      // The database is away: the lease runs out by itself.
      logger.warn({ error }, 'trader: its shards could not be given back');
    }
    await ended.presence.end();
  };

  return {
    async hold() {
      if (lease !== null && !lease.presence.isLive()) await end();
      lease ??= await begin();
      if (steadyMs() >= lease.renewAt) await renew(lease);
      // One that had begun before the process was stopped for long extends nothing to now.
      if (steadyMs() >= lease.lastsUntil) await renew(lease);
      return holdOf(lease, () => lease, steadyMs);
    },
    surplus: () => lease?.surplus ?? [],
    async release(shards) {
      if (lease === null || shards.length === 0) return;
      await releaseShards(database, { id: lease.id, shards });
      lease.held = new Map([...lease.held].filter(([shard]) => !shards.includes(shard)));
      lease.surplus = [];
    },
    close: end,
  };
}

async function renewLease(database: Database, own: Lease, steadyMs: () => number): Promise<void> {
  const asked = steadyMs();
  const { id, presence } = own;
  const { held, traders } = await renewShards(database, {
    id,
    lockKey: presence.lockKey,
    leaseMs: LEASE_MS,
  });
  own.held = new Map(held.map((one) => [one.shard, one]));
  own.lastsUntil = asked + LEASE_MS - MARGIN_MS;
  own.renewAt = asked + RENEW_MS;
  const shards = held.map(({ shard }) => shard).filter((shard) => shard !== MARKET_SHARD);
  own.surplus = shards.toSorted((left, right) => left - right).slice(fairShare(traders));
}

function holdOf(lease: Lease, current: () => Lease | null, steadyMs: () => number): ShardHold {
  const leaving = new Set(lease.surplus);
  const held = new Map([...lease.held].filter(([shard]) => !leaving.has(shard)));
  const shards = [...held.keys()].filter((shard) => shard !== MARKET_SHARD).toSorted((a, b) => a - b);
  const lasts = () => current() === lease && lease.presence.isLive() && steadyMs() < lease.lastsUntil;
  const fence = async (trx: Database, wanted: ReadonlySet<number>) => {
    const own = [...wanted].flatMap((shard) => held.get(shard) ?? []);
    if (!lasts() || own.length < wanted.size) throw new ShardLost('its shard is not ours any more');
    const locked = await lockShards(trx, own);
    if (locked.size < wanted.size) throw new ShardLost('its shard was taken by another trader');
  };
  return {
    shards,
    hasMarket: held.has(MARKET_SHARD),
    key: [...held.values()].map(({ shard, fence: number }) => `${shard}.${number}`).join(' '),
    fence(trx, connections) {
      const wanted = new Set<number>();
      for (const connection of connections) wanted.add(shardOf(connection));
      return fence(trx, wanted);
    },
    fenceMarket: (trx) => fence(trx, new Set([MARKET_SHARD])),
    lasts,
  };
}

/** A stopped trader's work is taken over within this and one renewal; a dead one's at the next renewal. */
const LEASE_MS = 15 * SECOND_MS;
const RENEW_MS = 3 * SECOND_MS;
/** For the difference in speed of two clocks, many times over. */
const MARGIN_MS = 2 * SECOND_MS;
