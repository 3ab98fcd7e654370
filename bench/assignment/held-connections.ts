// The connections that Restate has given to this trader, in the form in which the trader knows what it may act for. The fence is that of
// the leases, with a row for each connection in place of one for each shard: a claim raises it, and a transaction holds it until its end.
import { sql } from 'kysely';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { shardOf } from '#records/operations/trading-shards.ts';
import { markRestoration } from '#records/recovery/restorations.ts';
import { LeaseLost } from '#trader/lease-lost.ts';
import type { ShardLease, ShardLeases } from '#trader/leases/shard-lease.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { Hold } from './connection-object.ts';
import type { AskForLook } from './one-look.ts';

/** The object of the work done once for all users: bars and evaluations. */
export const MARKET = '00000000-0000-0000-0000-000000000000';

/** Beside the product's tables. The key spans the fence, so that a change of holder waits for whoever keeps the row. */
export const FENCES = `create table connection_fences (connection uuid primary key, fence bigint not null, unique (connection, fence));
  grant select, insert, update on connection_fences to public`;

export type HeldConnections = {
  readonly leases: ShardLeases;
  /** The fence under which this trader acts for the connection; null when it does not. */
  fenceOf(connection: string): string | null;
  /** Looks at the connection by `look`, a tick of the trader, until the term is over or the attempt has ended. */
  readonly hold: Hold;
};

export type HoldingOptions = {
  readonly handle: DatabaseHandle;
  readonly realNow: () => WallInstant;
  readonly look: AskForLook;
  /** It was given back to this trader, without another in between: session and memory go on under the new fence. */
  readonly onKept?: (connection: string) => void;
  readonly termMs?: number;
};

/** New until it is sure that nothing old is remembered of it; leaving once it is only left to be closed. */
type Held = { readonly connection: string; readonly fence: string; state: 'new' | 'held' | 'leaving' };

export function holdConnections({
  handle,
  realNow,
  look,
  onKept = () => undefined,
  termMs = TERM_MS,
}: HoldingOptions): HeldConnections {
  const { held, claim, forget, actForHeld, acting } = createHoldings(handle, onKept);
  let restoration: Promise<number> | null = null;
  return {
    fenceOf: (connection) => acting().held.get(connection)?.fence ?? null,
    leases: {
      async current() {
        restoration ??= markRestoration(handle.database, realNow());
        const restored = await restoration;
        actForHeld();
        return leaseOf(acting(), restored, (connection) => held.get(connection));
      },
      surplus: () => [...held.values()].flatMap((own) => (own.state === 'held' ? [] : shard(own.connection))),
      async release(shards) {
        for (const own of held.values()) {
          if (own.state === 'held' || !shards.includes(shard(own.connection))) continue;
          if (own.state === 'leaving') forget(own);
          else own.state = 'held';
        }
      },
      async close() {
        for (const own of held.values()) forget(own);
      },
    },
    async hold(connection, ended) {
      // At once, also where a former attempt is not over yet: Restate was killed, and its streams break one by one.
      const own = await claim(connection);
      const isLost = () => ended.aborted || held.get(connection) !== own;
      const until = performance.now() + termMs;
      try {
        await look('at once');
        while (!isLost() && performance.now() < until) await look('in turn');
        if (isLost()) throw new Error('this attempt has ended');
        own.state = 'leaving';
      } finally {
        if (own.state !== 'leaving') forget(own);
        // One more look, without it: work in progress ends, and its session is closed.
        if (!held.has(connection) || held.get(connection) === own)
          await look('at once').catch(() => undefined);
        forget(own);
      }
    },
  };
}

/** What is acted for at present, and a name for it. */
type Acting = { readonly held: ReadonlyMap<string, Held>; readonly key: string };

/** What Restate has given to this trader, and what of it the trader acts for. */
function createHoldings(handle: DatabaseHandle, onKept: (connection: string) => void) {
  const held = new Map<string, Held>();
  /** What this trader has acted for, under the newest fence. */
  const known = new Map<string, Held>();
  let acting: Acting = { held: new Map(), key: '0' };
  /** Its session and what is remembered go on, unless another trader had it meanwhile. */
  const isKept = ({ connection, fence }: Held) => {
    const former = acting.held.get(connection);
    return former !== undefined && BigInt(fence) === BigInt(former.fence) + 1n;
  };
  return {
    held,
    acting: () => acting,
    async claim(connection: string): Promise<Held> {
      const { rows } = await handle.pool.query<{ fence: string }>(CLAIM, [connection]);
      const own: Held = { connection, fence: rows[0]!.fence, state: 'new' };
      held.set(connection, own);
      return own;
    },
    forget(own: Held): void {
      if (held.get(own.connection) === own) held.delete(own.connection);
    },
    actForHeld(): void {
      const kept: string[] = [];
      for (const own of held.values()) {
        if (own.state !== 'new') continue;
        if (isKept(own)) kept.push(own.connection);
        else if (known.has(own.connection)) continue;
        own.state = 'held';
      }
      const now = new Map([...held].filter(([, { state }]) => state === 'held'));
      if (now.size === acting.held.size && [...now].every(([one, own]) => acting.held.get(one) === own))
        return;
      acting = { held: now, key: String(Number(acting.key) + 1) };
      for (const [connection, own] of now) known.set(connection, own);
      for (const connection of kept) onKept(connection);
    },
  };
}

const CLAIM = `insert into connection_fences (connection, fence) values ($1, 1)
  on conflict (connection) do update set fence = connection_fences.fence + 1 returning fence::text`;

const shard = (connection: string) => shardOf(connection as BrokerConnectionId);

function leaseOf(
  { held, key }: Acting,
  restoration: number,
  heldNow: (connection: string) => Held | undefined,
): ShardLease {
  const isOurs = (own: Held) => heldNow(own.connection) === own;
  const isValid = () => [...held.values()].every(isOurs);
  const fence: ShardLease['fence'] = async (trx, connections) => {
    const wanted = new Set<string>(connections);
    const ours = [...wanted].flatMap((connection) => held.get(connection) ?? []);
    if (ours.length < wanted.size || !ours.every(isOurs))
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
async function lockConnections(
  trx: Parameters<ShardLease['fence']>[0],
  held: readonly Held[],
): Promise<number> {
  const { rows } = await sql`
    select f.connection, set_config('bellwether.actor', 'trader', true) from connection_fences f
    join unnest(${held.map(({ connection }) => connection)}::uuid[], ${held.map(({ fence }) => fence)}::bigint[])
      as h (connection, fence) on h.connection = f.connection and h.fence = f.fence
    order by f.connection for key share of f`.execute(trx);
  return rows.length;
}

/** The load is divided again at the end of a term. */
const TERM_MS = 300_000;
