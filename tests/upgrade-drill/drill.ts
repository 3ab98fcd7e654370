// The upgrade as an operator does it, on a world that lives: the release before runs, the schema is changed beneath it, and each process
// makes way for one of the present code while markets close and people look.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keyFile } from '#adapters/key-management/key-file/key-file.ts';
import { openKeyring } from '#records/keys/keyring.ts';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { issueAccessToken } from '#server/identity/session/access-token.ts';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { type Findings, findings } from '../kill-campaign/findings.ts';
import type { StageFile } from '../kill-campaign/stage.ts';
import { sandboxAdapter } from '../support/sandbox-adapter.ts';
import { ROOT } from './base-release.ts';
import { type Polled, startPolling } from './poll.ts';

export type Closes = {
  readonly closes: number;
  readonly missed: readonly string[];
  readonly overtaken: number;
};

export type Drill = {
  /** Before the schema was changed, by the release alone. */
  readonly before: Closes;
  readonly during: Closes;
  readonly polled: Polled;
  readonly findings: Findings;
  readonly migratedMs: number;
  readonly replaced: readonly { readonly role: string; readonly ms: number }[];
  readonly schemas: { readonly before: string; readonly after: string };
};

type Process = { readonly role: string; said(): string; stop(): Promise<void> };

/** In the release before, the drill's own files lie beside those that it has. */
function placeIn(root: string): string {
  return path.join(root, root === ROOT ? 'tests/upgrade-drill' : 'tests/upgrade-drill-stage');
}

export async function drillUpgrade(
  base: string,
  folder: string,
  say: (line: string) => void,
): Promise<Drill> {
  const closing: (() => Promise<unknown> | void)[] = [];
  try {
    const stage = await openLivingStage(base, folder);
    closing.push(stage.close);
    const { records } = stage;
    const apis = new Map<Process, string>();
    const traders: Process[] = [];
    closing.push(() => Promise.all([...apis.keys(), ...traders].map((one) => one.stop())));
    const api = async (root: string) => {
      const started = await startRole(
        root,
        'API',
        [path.join(placeIn(root), 'api-process.ts')],
        stage.variables,
      );
      apis.set(started, `http://127.0.0.1:${/serving on (\d+)/.exec(started.said())![1]}`);
    };
    const trader = async (root: string) =>
      traders.push(
        await startRole(
          root,
          'trader',
          ['tests/kill-campaign/trader-process.ts'],
          { STAGE: stage.fileName },
          null,
        ),
      );
    say('The release before starts: two traders and two APIs.');
    for (const start of [trader, trader, api, api]) await start(base);
    await nextCloses(records, 1);
    const first = await newestClose(records);
    await nextCloses(records, 5);
    const changed = await newestClose(records);
    const stopPolling = startPolling({ addresses: () => [...apis.values()], ...(await stage.look()) });
    const schema = await newestMigration(records);
    const migrating = performance.now();
    await migrateAsOwner(stage.ownerUrl);
    const migratedMs = performance.now() - migrating;
    say(`The schema was changed in ${Math.round(migratedMs)} ms. The release before runs on it.`);
    await nextCloses(records, 3);
    const replaced: { role: string; ms: number }[] = [];
    for (const old of [...apis.keys(), ...traders.slice()]) {
      const began = performance.now();
      await (old.role === 'API' ? api : trader)(ROOT);
      if (old.role === 'API') apis.delete(old);
      else traders.splice(traders.indexOf(old), 1);
      await old.stop();
      replaced.push({ role: old.role, ms: performance.now() - began });
      say(`One ${old.role} made way for the present code.`);
      await nextCloses(records, 2);
    }
    await nextCloses(records, 3);
    const polled = await stopPolling();
    const last = await newestClose(records);
    const before = await countCloses(records, { first, last: changed });
    const during = await countCloses(records, { first: changed, last });
    const found = await findings(stage.audited);
    return {
      before,
      during,
      polled,
      findings: found,
      migratedMs,
      replaced,
      schemas: { before: schema, after: await newestMigration(records) },
    };
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function openLivingStage(base: string, folder: string) {
  for (const name of ['living-stage.ts', 'api-process.ts'])
    cpSync(path.join(import.meta.dirname, name), path.join(placeIn(base), name));
  const child = fork(path.join(placeIn(base), 'living-stage.ts'), [], {
    cwd: base,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { ownerUrl, databaseUrl } = await new Promise<{ ownerUrl: string; databaseUrl: string }>(
    (resolve, reject) => {
      child.once('message', (opened) => resolve(opened as { ownerUrl: string; databaseUrl: string }));
      child.once('exit', () =>
        reject(new Error('the world of the release before could not be made: see above')),
      );
    },
  );
  const home = path.join(
    folder,
    readdirSync(folder).find((name) => name.startsWith('bellwether-campaign-'))!,
  );
  const fileName = path.join(home, 'stage.json');
  const file = JSON.parse(readFileSync(fileName, 'utf8')) as StageFile;
  const records = openDatabase(databaseUrl, { onIdleError: () => undefined });
  const { address, keys, instruments, credentials } = file;
  const broker = sandboxAdapter({ address, keys, instruments });
  const rootKey = path.join(folder, 'root-key');
  const variables = { DATABASE_URL: databaseUrl, ROOT_KEY: rootKey, MARKET_FEED_URL: address };
  return {
    records,
    ownerUrl,
    fileName,
    variables,
    audited: {
      records,
      vendor: 'scripted',
      auditor: { broker, credentialsOf: (connection: string) => credentials[connection]! },
    },
    look: () => lookAsSomebody(records, rootKey),
    async close() {
      await records.close();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await gone;
    },
  };
}

/** Somebody with deployments, signed in. */
async function lookAsSomebody({ database, pool }: DatabaseHandle, rootKey: string) {
  const { rows } = await pool.query<{ user_id: UserId; id: string }>(
    `select user_id, id from deployments limit 1`,
  );
  const { user_id: userId, id } = rows[0]!;
  const sessionId = randomUUID();
  await pool.query(
    `insert into sessions (id, user_id, remember, expires_at) values ($1, $2, false, now() + interval '1 day')`,
    [sessionId, userId],
  );
  const keys = await openKeyring({ database, management: keyFile(rootKey) });
  const token = await issueAccessToken(
    { userId, sessionId },
    keys.newest('access_token'),
    instant(Date.now()),
  );
  const paths = [
    `/api/deployments/${id}/`,
    '/api/deployments/',
    '/api/portfolio/',
    '/api/notifications/',
    '/api/health/',
  ];
  return { token, paths };
}

/** Serving, or, without a line that says so, started. */
async function startRole(
  root: string,
  role: string,
  words: readonly string[],
  variables: NodeJS.ProcessEnv,
  line: RegExp | null = /serving on \d+\n/,
): Promise<Process> {
  const child: ChildProcess = spawn(process.execPath, [...words], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let said = '';
  child.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  if (line !== null)
    await new Promise<void>((resolve, reject) => {
      child.stdout!.on('data', () => {
        if (line.test(said)) resolve();
      });
      child.once('exit', () => reject(new Error(`the ${role} of ${root} ended before it served\n${said}`)));
    });
  return {
    role,
    said: () => said,
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function newestClose({ pool }: DatabaseHandle): Promise<Date> {
  const { rows } = await pool.query<{ at: Date | null }>(`select max(as_of) as at from targets`);
  return rows[0]!.at ?? new Date(0);
}

async function newestMigration({ pool }: DatabaseHandle): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(`select max(name) as name from kysely_migration`);
  return rows[0]!.name;
}

const CLOSE_WITHIN_MS = 300_000;

/** Until that many more closes have been decided on. */
async function nextCloses(records: DatabaseHandle, count: number): Promise<void> {
  const seen = new Set<number>([(await newestClose(records)).getTime()]);
  for (const end = Date.now() + CLOSE_WITHIN_MS; seen.size <= count; ) {
    if (Date.now() > end) throw new Error('no close is decided on any more');
    await pause(250);
    seen.add((await newestClose(records)).getTime());
  }
}

/**
 * Each close of the coins must have a target of each strategy. Where the trader comes to two closes at once, it trades on the newer one
 * alone: the older one is overtaken.
 */
async function countCloses(
  { pool }: DatabaseHandle,
  { first, last }: { readonly first: Date; readonly last: Date },
) {
  const { rows } = await pool.query<{ at: Date; targets: number; versions: number; overtaken: number }>(
    `select b.closed_at as at,
       (select count(distinct t.strategy_version_id) from targets t where t.as_of = b.closed_at)::int as targets,
       (select count(*) from strategy_versions)::int as versions,
       (select count(*) from targets t join deployments d on d.strategy_version_id = t.strategy_version_id
         where t.as_of = b.closed_at and t.rebalance
           and not exists (select from receipts r where r.target_id = t.id and r.deployment_id = d.id))::int as overtaken
     from bars b where b.symbol = 'BTCUSD' and b.interval = '1d' and b.closed_at between $1 and $2 order by 1`,
    [first, last],
  );
  const missed = rows
    .filter((row) => row.targets < row.versions)
    .map((row) => `${row.at.toISOString()}: ${row.targets} of ${row.versions} strategies decided`);
  // Of the newest one the orders may be under way.
  const overtaken = rows.slice(0, -1).filter((row) => row.overtaken > 0).length;
  return { closes: rows.length, missed, overtaken };
}
