// The stage of the kill campaign, with traders that are assigned their work in one of the two ways.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SHARDS, shardOf } from '#records/operations/trading-shards.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { RAIN } from '../../tests/kill-campaign/campaign.ts';
import { openStage, type Stage } from '../../tests/kill-campaign/stage.ts';
import { freePorts } from './free-ports.ts';
import { FENCES, MARKET } from './held-connections.ts';
import { type Restate, startRestate } from './restate-server.ts';
import type { Look, Told } from './trader-process.ts';

export const WAYS = ['leases', 'restate'] as const;
export type Way = (typeof WAYS)[number];

export type TrialStage = {
  readonly stage: Stage;
  readonly connections: readonly string[];
  /** Null where leases assign. */
  readonly restate: Restate | null;
  /** The newest look at each connection. */
  readonly looks: ReadonlyMap<string, Look>;
  /** Calls with what is seen from now on; returns what ends that. */
  onSeen(hear: (seen: Seen) => void): () => void;
  /** Once each trader can take work. */
  ready(): Promise<void>;
  close(): Promise<void>;
};

/** A look at a connection has begun, or its fence has been raised for the next owner. */
export type Seen = Look | { readonly what: 'given'; readonly connection: string; readonly at: number };

const TRADERS = 3;
/** Longer than those of the kill campaign: what is measured here is the change of owner, not a close on a busy machine. */
const DAY_SECONDS = 10;

export async function openTrial(way: Way, people: number): Promise<TrialStage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-trial-'));
  const looks = new Map<string, Look>();
  const hearing = new Set<(seen: Seen) => void>();
  const see = (seen: Seen) => {
    if (seen.what === 'look') looks.set(seen.connection, seen);
    for (const hear of hearing) hear(seen);
  };
  const places = (await freePorts(TRADERS)).map((port): Place => ({ port, child: null, isReady: false }));
  const spawnTrader = (stageFile: string) => {
    const place = places.find(({ child }) => child === null || hasEnded(child))!;
    place.isReady = false;
    place.child = spawnPlaced({ stageFile, way, port: place.port });
    place.child.on('message', (told: Told) => {
      if (told.what === 'ready') place.isReady = true;
      else see(told);
    });
    return place.child;
  };
  const stage = await openStage({ people, daySeconds: DAY_SECONDS, newId: spreadIds(), spawnTrader });
  const connections = await connectionsOf(stage);
  const closeGiven = await setUp(stage, connections, see);
  for (let i = 0; i < TRADERS; i++) stage.addTrader();
  const restate =
    way === 'leases'
      ? null
      : await startRestate(
          folder,
          places.map(({ port }) => port),
        );
  await restate?.hold([MARKET, ...connections]);
  return {
    stage,
    connections,
    restate,
    looks,
    onSeen(hear) {
      hearing.add(hear);
      return () => void hearing.delete(hear);
    },
    async ready() {
      const areReady = () =>
        places.every(({ child, isReady }) => child !== null && !hasEnded(child) && isReady);
      for (let i = 0; !areReady(); i++) {
        if (i === 1_200) throw new Error('not every trader was ready within a minute');
        await sleep(50);
      }
    },
    async close() {
      await closeGiven();
      await restate?.close();
      await stage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Place = { readonly port: number; child: ChildProcess | null; isReady: boolean };

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

function spawnPlaced({ stageFile, way, port }: { stageFile: string; way: Way; port: number }): ChildProcess {
  const env = { ...process.env, STAGE: stageFile, ASSIGNMENT: way, PORT: String(port) };
  const entry = path.join(import.meta.dirname, 'trader-process.ts');
  return spawn(process.execPath, [entry], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Ids whose shards follow each other, so that each connection has a shard of its own: both ways then divide the same work alike. */
function spreadIds(): () => string {
  let next = 0;
  return () => randomUUID().slice(0, -2) + (next++ % SHARDS).toString(16).padStart(2, '0');
}

async function connectionsOf({ records }: Stage): Promise<readonly string[]> {
  const { rows } = await records.pool.query<{ id: BrokerConnectionId }>(
    'select id from broker_connections order by id',
  );
  if (new Set(rows.map(({ id }) => shardOf(id))).size < rows.length)
    throw new Error('two connections share a shard');
  return rows.map(({ id }) => id);
}

/** Returns the function that ends the hearing of who is given what. */
async function setUp(
  stage: Stage,
  connections: readonly string[],
  see: (seen: Seen) => void,
): Promise<() => Promise<void>> {
  const owner = new pg.Client({ connectionString: stage.ownerUrl });
  owner.on('error', () => undefined);
  await owner.connect();
  await owner.query(FENCES);
  await owner.query(TELL_GIVEN);
  const byShard = new Map(connections.map((one) => [String(shardOf(one as BrokerConnectionId)), one]));
  owner.on('notification', ({ payload = '' }) =>
    see({ what: 'given', connection: byShard.get(payload) ?? payload, at: Date.now() }),
  );
  await stage.setFaults(RAIN);
  return () => owner.end();
}

/** Both ways alike: whoever takes over raises a fence. */
const TELL_GIVEN = `create function tell_given() returns trigger language plpgsql as
    $$ begin perform pg_notify('given', to_jsonb(new) ->> tg_argv[0]); return null; end $$;
  create trigger given after update on trading_shards for each row when (new.fence > old.fence)
    execute function tell_given('shard');
  create trigger given after update on connection_fences for each row when (new.fence > old.fence)
    execute function tell_given('connection');
  listen given`;
