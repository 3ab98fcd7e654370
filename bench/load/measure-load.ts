// One size of the load, measured over some days of the market: the trader, the API, the stand-in of the broker and the database server are
// processes of their own, and the screens are held by this one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientOrderId } from '#units/identifiers.ts';
import { DAY_MS } from '#units/instant.ts';
import type { ApiReady } from './api-process.ts';
import { type Usage, usageOf } from './processes.ts';
import { openScreens, type OpenScreens } from './screens.ts';
import { openStage, type Stage, type StageSize } from './stage.ts';
import type { TraderReport } from './trader-process.ts';

export type LoadSize = StageSize & {
  readonly days: number;
  /** A folder for a profile of the trader's processor. */
  readonly profile?: string | undefined;
};

export const ROLES = ['trader', 'API', 'PostgreSQL', 'stand-in'] as const;
export type Role = (typeof ROLES)[number];

/** In MiB; `heap` is the trader's, of JavaScript. */
export type MemorySample = Readonly<Record<Role | 'heap', number>> & { readonly atMs: number };

export type Measured = {
  readonly size: LoadSize;
  /** From the start of the trader until it has read every account once. */
  readonly allReadMs: number;
  readonly seconds: number;
  readonly orders: number;
  /** From each close to the last order of its targets that left. */
  readonly closeToLastMs: readonly number[];
  /** From each close to each order. */
  readonly closeToOrderMs: readonly number[];
  /** How long ago the trader's last beat was, asked twice a second. */
  readonly lagMs: readonly number[];
  readonly readMs: readonly number[];
  readonly healthMs: readonly number[];
  readonly failedReads: number;
  readonly screens: number;
  readonly atMost: { readonly perSecond: number; readonly p99Ms: number };
  readonly cpuMs: Readonly<Record<Role, number>>;
  readonly pssMib: Readonly<Record<Role, number>>;
  /** Memory over time, a sample each ten seconds. */
  readonly memory: readonly MemorySample[];
  readonly report: TraderReport;
};

export async function measureLoad(size: LoadSize): Promise<Measured> {
  const stage = await openStage(size);
  const file = path.join(stage.folder, 'stage.json');
  writeFileSync(file, JSON.stringify(stage.file));
  console.log(`  ${size.accounts} accounts are open`);
  const api = start(file, 'api-process.ts', []);
  const trader = start(file, 'trader-process.ts', [
    '--expose-gc',
    ...(size.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${size.profile}`]),
  ]);
  try {
    const startedAt = performance.now();
    const ready = await heard<ApiReady>(api);
    const screens = openScreens(ready);
    api.on('message', (again: ApiReady) => screens.renew(again.screens));
    await allRead(stage, size.accounts);
    const allReadMs = performance.now() - startedAt;
    console.log(`  all are read after ${(allReadMs / 1_000).toFixed(0)} s`);
    const measured = await watch(stage, { trader, api, screens, size });
    screens.close();
    trader.send('stop');
    await Promise.race([once(trader, 'exit'), sleep(60_000)]);
    return { ...measured, allReadMs, screens: ready.screens.length };
  } finally {
    trader.kill('SIGKILL');
    api.kill('SIGKILL');
    await stage.close();
  }
}

type Running = {
  readonly trader: ChildProcess;
  readonly api: ChildProcess;
  readonly screens: OpenScreens;
  readonly size: LoadSize;
};

async function watch(stage: Stage, { trader, api, screens, size }: Running) {
  const { accounts, days, daySeconds } = size;
  const pids: Record<Role, number> = {
    trader: trader.pid!,
    API: api.pid!,
    PostgreSQL: stage.pids.database,
    'stand-in': stage.pids.sandbox,
  };
  await reportOf(trader);
  screens.take();
  const wallOf = await wallClockOf(stage, daySeconds);
  const before = usages(pids);
  const beganAt = Date.now();
  const lagMs: number[] = [];
  const memory: MemorySample[] = [];
  const reports: TraderReport[] = [];
  const untilMs = days * daySeconds * 1_000;
  for (let turn = 1; Date.now() - beganAt < untilMs; turn++) {
    await sleep(500);
    lagMs.push(await lagOf(stage));
    if (turn % MEMORY_EVERY === 0) {
      const report = await reportOf(trader);
      reports.push(report);
      const now = usages(pids);
      memory.push({
        atMs: Date.now() - beganAt,
        heap: report.heapMib,
        ...mapRoles((role) => now[role].pssMib),
      });
    }
  }
  const { readMs, healthMs, failed: failedReads } = screens.take();
  const after = usages(pids);
  const seconds = (Date.now() - beganAt) / 1_000;
  const atMost = await screens.atMost(5);
  const report = merged([...reports, await reportOf(trader)]);
  const closes = await closesOf(stage, report, { wallOf, beganAt });
  console.log(`  ${accounts} accounts: measured for ${seconds.toFixed(0)} s`);
  return {
    size,
    seconds,
    ...closes,
    lagMs,
    readMs,
    healthMs,
    failedReads,
    atMost,
    cpuMs: mapRoles((role) => after[role].cpuMs - before[role].cpuMs),
    pssMib: mapRoles((role) => after[role].pssMib),
    memory,
    report,
  };
}

function start(stage: string, entry: string, options: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...options, path.join(import.meta.dirname, entry)], {
    env: { ...process.env, STAGE: stage },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

async function allRead({ handle }: Stage, accounts: number): Promise<void> {
  const until = performance.now() + ALL_READ_MAX_MS;
  for (;;) {
    const { rows } = await handle.pool.query<{ read: number }>(
      'select count(*)::int as read from broker_sessions where reconciled_at is not null',
    );
    if (rows[0]!.read >= accounts) return;
    if (performance.now() > until)
      throw new Error(`the trader has read ${rows[0]!.read} of ${accounts} accounts`);
    await sleep(500);
  }
}

/** Its next message; one that has ended sends none. */
async function heard<Message>(child: ChildProcess): Promise<Message> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Message];
    return message;
  } finally {
    ended.catch(() => undefined);
    over.abort();
  }
}

async function reportOf(trader: ChildProcess): Promise<TraderReport> {
  trader.send('report');
  return heard<TraderReport>(trader);
}

async function lagOf({ handle }: Stage): Promise<number> {
  const { rows } = await handle.pool.query<{ lag: number }>(
    `select extract(epoch from clock_timestamp() - beat_at)::float8 * 1000 as lag from heartbeats where process = 'trader'`,
  );
  return rows[0]?.lag ?? 0;
}

/** The market's time as the wall's. */
async function wallClockOf(stage: Stage, daySeconds: number): Promise<(at: number) => number> {
  const asked = Date.now();
  const { now } = await stage.clock();
  const wall = (asked + Date.now()) / 2;
  return (at) => wall + ((at - now) / DAY_MS) * daySeconds * 1_000;
}

type Window = { readonly wallOf: (at: number) => number; readonly beganAt: number };

/** Of orders of the targets of closes within the time that was watched. Later attempts wait for fills, and are not counted. */
async function closesOf(
  { handle }: Stage,
  { left }: TraderReport,
  { wallOf, beganAt }: Window,
): Promise<Pick<Measured, 'orders' | 'closeToLastMs' | 'closeToOrderMs'>> {
  const { rows } = await handle.pool.query<{ id: ClientOrderId; as_of: Date }>(
    `select o.client_order_id as id, t.as_of from orders o join targets t on t.id = o.target_id
     where o.attempt = 1 and o.client_order_id = any($1)`,
    [left.map(([id]) => id)],
  );
  const leftAt = new Map(left);
  const sent = rows.flatMap(({ id, as_of: asOf }) => {
    const closedAt = wallOf(asOf.getTime());
    return closedAt < beganAt ? [] : [{ closedAt, tookMs: leftAt.get(id)! - closedAt }];
  });
  const byClose = Map.groupBy(sent, ({ closedAt }) => Math.round(closedAt));
  return {
    orders: left.length,
    closeToLastMs: [...byClose.values()].map((of) =>
      of.reduce((last, { tookMs }) => Math.max(last, tookMs), 0),
    ),
    closeToOrderMs: sent.map(({ tookMs }) => tookMs),
  };
}

const usages = (pids: Readonly<Record<Role, number>>) => mapRoles((role): Usage => usageOf(pids[role]));

function mapRoles<Value>(of: (role: Role) => Value): Record<Role, Value> {
  return Object.fromEntries(ROLES.map((role) => [role, of(role)])) as Record<Role, Value>;
}

function merged(reports: readonly TraderReport[]): TraderReport {
  const sum = (pick: (report: TraderReport) => Readonly<Record<string, number>>) => {
    const counts: Record<string, number> = {};
    for (const report of reports)
      for (const [name, count] of Object.entries(pick(report))) counts[name] = (counts[name] ?? 0) + count;
    return counts;
  };
  return {
    left: reports.flatMap(({ left }) => left),
    requests: sum(({ requests }) => requests),
    statements: sum(({ statements }) => statements),
    problems: reports.flatMap(({ problems }) => problems),
    heapMib: reports.at(-1)?.heapMib ?? 0,
  };
}

/** In half seconds. */
const MEMORY_EVERY = 20;
const ALL_READ_MAX_MS = 3_600_000;
