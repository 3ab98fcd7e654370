// The shards that this trader holds, renewed in parallel to its ticks. Every decision, booking and send for a shard is
// fenced: it is written only while no one else has taken the shard, and leaves only while the lease is valid on our own
// steady clock.
import {
  type HeldLease,
  heldLease,
  LEASE_MS,
  leaseKey,
  mayAct,
  mustRenew,
  RENEW_MS,
  surplusShards,
} from '#engine/execution/connection/lease.ts';
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
import { markRestoration } from '#records/recovery/restorations.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { TraderLogger } from '../dependencies.ts';
import { LeaseLost } from '../lease-lost.ts';

export type ShardLease = {
  readonly shards: readonly number[];
  /** Whether this trader ingests bars and evaluates, for all traders. */
  readonly hasMarket: boolean;
  /** Changes when a shard was gained or lost. */
  readonly key: string;
  /** The newest restore of the database when this trader joined: what it remembers from before is of another history. */
  readonly restoration: number;
  /** Keeps these connections ours until the transaction ends; throws LeaseLost when one is not. */
  fence(trx: Database, connections: Iterable<BrokerConnectionId>): Promise<void>;
  fenceMarket(trx: Database): Promise<void>;
  /** Whether no other trader can have taken a shard at this moment. */
  isValid(): boolean;
};

export type ShardLeases = {
  /** The shards held now. The first call claims. */
  current(): Promise<ShardLease>;
  /** Held, but above our share since others joined: released once no work is in progress there. */
  surplus(): readonly number[];
  release(shards: readonly number[]): Promise<void>;
  /** Releases everything. */
  close(): Promise<void>;
};

export type LeaseOptions = {
  readonly handle: DatabaseHandle;
  readonly newId: () => string;
  readonly logger: TraderLogger;
  /** Milliseconds that never jump. */
  readonly steadyMs: () => number;
  readonly realNow: () => WallInstant;
};

/** This trader's own row among those that share the work. */
type Membership = {
  readonly id: string;
  readonly presence: Presence;
  readonly timer: NodeJS.Timeout;
  readonly restoration: number;
  held: ReadonlyMap<number, HeldShard>;
  lease: HeldLease;
  surplus: readonly number[];
};

export function createShardLeases({ handle, newId, logger, steadyMs, realNow }: LeaseOptions): ShardLeases {
  const { database, pool } = handle;
  let membership: Membership | null = null;
  let renewing: Promise<void> | null = null;

  const renew = (own: Membership): Promise<void> => {
    renewing ??= renewLease(database, own, steadyMs).finally(() => {
      renewing = null;
    });
    return renewing;
  };
  const begin = async (): Promise<Membership> => {
    // Also after each break of the connection, behind which another server may answer.
    const restoration = await markRestoration(database, realNow());
    const presence = await showPresence(pool);
    const timer = setInterval(() => {
      if (membership === null || !presence.isLive()) return;
      renew(membership).catch((error: unknown) =>
        logger.warn({ err: error }, 'trader: its shards were not renewed'),
      );
    }, RENEW_MS);
    timer.unref();
    const nothing = { held: new Map(), lease: { validUntil: 0, renewAt: 0 }, surplus: [] };
    return { id: newId(), presence, timer, restoration, ...nothing };
  };
  const end = async () => {
    const ended = membership;
    membership = null;
    if (ended === null) return;
    clearInterval(ended.timer);
    await renewing?.catch(() => undefined);
    try {
      await leaveTrading(database, ended.id);
    } catch (error) {
      // The database is unreachable: the lease expires by itself.
      logger.warn({ err: error }, 'trader: its shards could not be given back');
    }
    await ended.presence.end();
  };

  return {
    async current() {
      if (membership !== null && !membership.presence.isLive()) await end();
      membership ??= await begin();
      if (mustRenew(membership.lease, steadyMs())) await renew(membership);
      // A renewal that began before a long stop of the process does not extend the lease from now.
      if (!mayAct(membership.lease, steadyMs())) await renew(membership);
      return leaseOf(membership, () => membership, steadyMs);
    },
    surplus: () => membership?.surplus ?? [],
    async release(shards) {
      if (membership === null || shards.length === 0) return;
      await releaseShards(database, { id: membership.id, shards });
      membership.held = new Map([...membership.held].filter(([shard]) => !shards.includes(shard)));
      membership.surplus = [];
    },
    close: end,
  };
}

async function renewLease(database: Database, own: Membership, steadyMs: () => number): Promise<void> {
  const asked = steadyMs();
  const { id, presence } = own;
  const { held, traders } = await renewShards(database, {
    id,
    lockKey: presence.lockKey,
    leaseMs: LEASE_MS,
  });
  own.held = new Map(held.map((one) => [one.shard, one]));
  own.lease = heldLease(asked);
  const shards = held.map(({ shard }) => shard).filter((shard) => shard !== MARKET_SHARD);
  own.surplus = surplusShards(shards, fairShare(traders));
}

function leaseOf(own: Membership, current: () => Membership | null, steadyMs: () => number): ShardLease {
  const leaving = new Set(own.surplus);
  const held = new Map([...own.held].filter(([shard]) => !leaving.has(shard)));
  const shards = [...held.keys()].filter((shard) => shard !== MARKET_SHARD).toSorted((a, b) => a - b);
  const isValid = () => current() === own && own.presence.isLive() && mayAct(own.lease, steadyMs());
  const fence = async (trx: Database, wanted: ReadonlySet<number>) => {
    const ours = [...wanted].flatMap((shard) => held.get(shard) ?? []);
    if (!isValid() || ours.length < wanted.size) throw new LeaseLost('its shard is not ours any more');
    const locked = await lockShards(trx, ours);
    if (locked.size < wanted.size) throw new LeaseLost('its shard was taken by another trader');
  };
  return {
    shards,
    hasMarket: held.has(MARKET_SHARD),
    key: leaseKey([...held.values()]),
    restoration: own.restoration,
    fence(trx, connections) {
      const wanted = new Set<number>();
      for (const connection of connections) wanted.add(shardOf(connection));
      return fence(trx, wanted);
    },
    fenceMarket: (trx) => fence(trx, new Set([MARKET_SHARD])),
    isValid,
  };
}
