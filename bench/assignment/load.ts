// Both ways under load, in turns on one machine: from the bar to durable orders, and what a thousand connections cost that nothing
// happens at.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { ownerPool } from '../../tests/support/test-database.ts';
import { usageOf } from '../load/processes.ts';
import { makeReady, multiply } from '../many-deployments.ts';
import { freePorts } from './free-ports.ts';
import { FENCES, MARKET } from './held-connections.ts';
import type { Answer, Asked } from './load-trader.ts';
import { type Restate, startRestate } from './restate-server.ts';
import { WAYS, type Way } from './stage.ts';

export type Load = {
  readonly deployments: number;
  readonly connections: number;
  readonly leases: Measured;
  readonly restate: Measured;
};
export type Measured = { readonly fanOutMs: readonly number[]; readonly idle: Idle };
type Idle = {
  readonly wallMs: number;
  readonly transactions: number;
  readonly traderCpuMs: number;
  readonly databaseCpuMs: number;
  /** Of Restate and the proxy. */
  readonly serverCpuMs: number;
  readonly traderMib: number;
  readonly serverMib: number;
};
export type LoadOptions = {
  readonly connections?: number;
  readonly each?: number;
  readonly rounds?: number;
  readonly restMs?: number;
  readonly say: (line: string) => void;
};

const ORDERS_EACH = 2;

export async function measureLoad({
  connections = 1_000,
  each = 10,
  rounds = 15,
  restMs = 30_000,
  say,
}: LoadOptions): Promise<Load> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-trial-'));
  const server = await startDatabase(path.join(folder, 'data'));
  const places: Partial<Record<Way, Place>> = {};
  try {
    const postmaster = postmasterOf(server.home);
    for (const way of WAYS) {
      places[way] = await openPlace(way, await server.openOther(`load_${way}`), { folder, postmaster });
      await fill(places[way], { connections, each });
    }
    const { leases, restate } = places as Record<Way, Place>;
    const orders = connections * each * ORDERS_EACH;
    const fanOut: Record<Way, number[]> = { leases: [], restate: [] };
    for (let round = 0; round <= rounds; round++)
      for (const way of round % 2 === 0 ? WAYS : WAYS.toReversed()) {
        const took = await timeRound(places[way]!, orders);
        // The first one warms up.
        if (round > 0) fanOut[way].push(took);
      }
    say(`fan-out measured in ${rounds} rounds each`);
    const idle = { leases: await timeRest(leases, restMs), restate: await timeRest(restate, restMs) };
    return {
      deployments: connections * each,
      connections,
      leases: { fanOutMs: fanOut.leases, idle: idle.leases },
      restate: { fanOutMs: fanOut.restate, idle: idle.restate },
    };
  } finally {
    for (const way of WAYS) await places[way]?.close();
    await server.stop();
    for (const one of [folder, server.home]) rmSync(one, { recursive: true, force: true });
  }
}

type Place = {
  readonly trader: ChildProcess;
  readonly owner: ReturnType<typeof ownerPool>;
  readonly postmaster: number;
  /** Null where leases assign. */
  readonly restate: Restate | null;
  ask<To extends Asked>(asked: To): Promise<Extract<Answer, { readonly to: To }>>;
  close(): Promise<void>;
};

async function openPlace(
  way: Way,
  { url, ownerUrl }: { readonly url: string; readonly ownerUrl: string },
  { folder, postmaster }: { readonly folder: string; readonly postmaster: number },
): Promise<Place> {
  await migrateAsOwner(ownerUrl);
  const owner = ownerPool(ownerUrl);
  await owner.query(FENCES);
  const [port] = await freePorts(1);
  const env = { ...process.env, DATABASE_URL: url, ASSIGNMENT: way, PORT: String(port) };
  const entry = path.join(import.meta.dirname, 'load-trader.ts');
  const trader = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const place = { trader, owner, postmaster, ask: (asked: Asked) => ask(trader, asked) };
  const restate = way === 'leases' ? null : await startRestate(folder, [port!]);
  return {
    ...(place as Pick<Place, 'trader' | 'owner' | 'postmaster' | 'ask'>),
    restate,
    async close() {
      trader.kill('SIGKILL');
      await restate?.close();
      await owner.end();
    },
  };
}

function ask(trader: ChildProcess, asked: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`the trader ended when asked to ${asked}`));
    trader.once('exit', ended);
    trader.once('message', (given: Answer) => {
      trader.off('exit', ended);
      resolve(given);
    });
    trader.send(asked);
  });
}

async function fill(
  { owner, restate, ask: asks }: Place,
  many: { readonly connections: number; readonly each: number },
): Promise<void> {
  const { deployment } = await asks('set the stage');
  await multiply(owner, deployment, many);
  const { rows } = await owner.query<{ id: string }>('select id from broker_connections');
  if (restate !== null) {
    await restate.hold([MARKET, ...rows.map(({ id }) => id)]);
    await untilHeld(owner, rows.length + 1);
  }
  // The first look at the market reads its history.
  await asks('tick');
  await asks('rest');
}

async function untilHeld(owner: Place['owner'], wanted: number): Promise<void> {
  for (let i = 0; ; i++) {
    const { rows } = await owner.query<{ held: number }>(
      'select count(*)::int as held from connection_fences',
    );
    if (rows[0]!.held === wanted) return;
    if (i === 600) throw new Error(`only ${rows[0]!.held} of ${wanted} were held after a minute`);
    await sleep(100);
  }
}

async function timeRound({ owner, ask: asks }: Place, expected: number): Promise<number> {
  await makeReady(owner);
  const { orders, tookMs, problems } = await asks('close a day');
  if (orders !== expected || problems.length > 0)
    throw new Error(`expected ${expected} orders, not ${orders}: ${problems.join('; ')}`);
  return tookMs;
}

async function timeRest(place: Place, restMs: number): Promise<Idle> {
  await place.ask('tick');
  await sleep(SETTLE_MS);
  const [from, before] = [performance.now(), await readUsage(place)];
  await sleep(restMs);
  const [wallMs, after] = [performance.now() - from, await readUsage(place)];
  await place.ask('rest');
  return {
    wallMs,
    transactions: after.transactions - before.transactions,
    traderCpuMs: after.trader.cpuMs - before.trader.cpuMs,
    databaseCpuMs: after.databaseCpuMs - before.databaseCpuMs,
    serverCpuMs: after.serverCpuMs - before.serverCpuMs,
    traderMib: after.trader.pssMib,
    serverMib: after.serverMib,
  };
}

/** What ticks while it rests is over, and the database has told of its transactions. */
const SETTLE_MS = 3_000;

async function readUsage({ trader, owner, restate, postmaster }: Place) {
  const { rows } = await owner.query<{ transactions: number }>(
    'select xact_commit::int as transactions from pg_stat_database where datname = current_database()',
  );
  const servers = restate === null ? [] : Object.values(restate.pids()).map(usageOf);
  const add = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
  return {
    transactions: rows[0]!.transactions,
    trader: usageOf(trader.pid!),
    databaseCpuMs: usageOf(postmaster).cpuMs,
    serverCpuMs: add(servers.map(({ cpuMs }) => cpuMs)),
    serverMib: add(servers.map(({ pssMib }) => pssMib)),
  };
}

const postmasterOf = (home: string) =>
  Number(readFileSync(path.join(home, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);
