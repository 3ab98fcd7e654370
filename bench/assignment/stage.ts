// The stage of the kill campaign, with traders that are assigned their work in one of the two ways.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SHARDS, shardOf } from '#records/operations/trading-shards.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { RAIN } from '../../tests/kill-campaign/campaign.ts';
import { openStage, type Stage } from '../../tests/kill-campaign/stage.ts';
import { ownerPool } from '../../tests/support/test-database.ts';
import { freePorts } from './free-ports.ts';
import { FENCES, MARKET } from './held-connections.ts';
import { type Restate, startRestate } from './restate-server.ts';
import type { Look } from './trader-process.ts';

export const WAYS = ['leases', 'restate'] as const;
export type Way = (typeof WAYS)[number];

export type TrialStage = {
  readonly stage: Stage;
  readonly connections: readonly string[];
  /** Null where leases assign. */
  readonly restate: Restate | null;
  /** The newest look at each connection. */
  readonly looks: ReadonlyMap<string, Look>;
  /** Calls with each further look; returns what ends that. */
  onLook(hear: (look: Look) => void): () => void;
  close(): Promise<void>;
};

const TRADERS = 3;
/** Longer than those of the kill campaign: what is measured here is the change of owner, not a close on a busy machine. */
const DAY_SECONDS = 10;

export async function openTrial(way: Way, people: number): Promise<TrialStage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-trial-'));
  const looks = new Map<string, Look>();
  const hearing = new Set<(look: Look) => void>();
  const places = (await freePorts(TRADERS)).map((port): Place => ({ port, child: null }));
  const spawnTrader = (stageFile: string) => {
    const place = places.find(({ child }) => child === null || hasEnded(child))!;
    place.child = spawnPlaced({ stageFile, way, port: place.port });
    place.child.on('message', (look: Look) => {
      if (look.what === 'look') looks.set(look.connection, look);
      for (const hear of hearing) hear(look);
    });
    return place.child;
  };
  const stage = await openStage({ people, daySeconds: DAY_SECONDS, newId: spreadIds(), spawnTrader });
  const connections = await connectionsOf(stage);
  await setUp(stage);
  for (let i = 0; i < TRADERS; i++) stage.addTrader();
  const restate = way === 'leases' ? null : await startRestate(folder, places.map(({ port }) => port));
  await restate?.hold([MARKET, ...connections]);
  return {
    stage,
    connections,
    restate,
    looks,
    onLook(hear) {
      hearing.add(hear);
      return () => void hearing.delete(hear);
    },
    async close() {
      await restate?.close();
      await stage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Place = { readonly port: number; child: ChildProcess | null };

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
  const { rows } = await records.pool.query<{ id: BrokerConnectionId }>('select id from broker_connections order by id');
  if (new Set(rows.map(({ id }) => shardOf(id))).size < rows.length) throw new Error('two connections share a shard');
  return rows.map(({ id }) => id);
}

async function setUp(stage: Stage): Promise<void> {
  const owner = ownerPool(stage.ownerUrl);
  await owner.query(FENCES);
  await owner.end();
  await stage.setFaults(RAIN);
}
