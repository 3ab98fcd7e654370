// Starts the PostgreSQL whose binaries come with the package, in a folder of our own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PRODUCT_ROLE } from '#records/postgres/product-role.ts';
import { API_ROLE } from '#records/postgres/row-scope.ts';
import { type Account, canEnter, serverPrograms, unprivilegedAccount } from './server-account.ts';
import { archiveSettings } from './wal-archive.ts';

/** Of one database: as its owner, who makes the schema, and as the product, which owns nothing. */
export type DatabaseAddresses = { readonly ownerUrl: string; readonly url: string };

export type EmbeddedDatabase = DatabaseAddresses & {
  /** Of another database on the same server, created if it does not exist. */
  openOther(name: string): Promise<DatabaseAddresses>;
  /** The cluster's path on disk. */
  readonly home: string;
  stop(): Promise<void>;
};

/** The addresses of a database of the product when its server already runs over this folder, else null. */
export function findRunningDatabase(dataDir: string, database = 'bellwether'): DatabaseAddresses | null {
  if (!existsSync(path.join(dataDir, OWNER_PASSWORD))) return null;
  const cluster = path.join(clusterHomeOf(dataDir), 'cluster');
  const file = path.join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return null;
  // PostgreSQL's own format: process id, folder, start time, port, ...
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n');
  if (!isServerOf(cluster, Number(pid)) || port === undefined) return null;
  return addressesOf(dataDir, port, database);
}

function addressesOf(dataDir: string, port: string, database: string): DatabaseAddresses {
  const urlOf = (user: string, file: string) =>
    `postgres://${user}:${passwordIn(dataDir, file)}@127.0.0.1:${port}/${database}`;
  return { ownerUrl: urlOf('postgres', OWNER_PASSWORD), url: urlOf(PRODUCT_LOGIN, PRODUCT_PASSWORD) };
}

export const OWNER_PASSWORD = 'postgres-password';
const PRODUCT_LOGIN = 'bellwether';
const PRODUCT_PASSWORD = 'product-password';

/**
 * Starts the server on a free port with its data under `dataDir`, making the cluster on the first start. `binaries`: the folder of
 * another server's programs.
 */
export async function startDatabase(
  dataDir: string,
  binaries = serverPrograms(unprivilegedAccount()),
): Promise<EmbeddedDatabase> {
  const account = unprivilegedAccount();
  const home = clusterHome(dataDir, account);
  const cluster = path.join(home, 'cluster');
  const passwordFile = path.join(dataDir, OWNER_PASSWORD);
  if (existsSync(cluster) && !existsSync(passwordFile))
    throw new Error(
      `${cluster} holds a database, and its password in ${passwordFile} is missing: put the file back, or start with another DATA_DIR`,
    );
  if (!existsSync(cluster) && existsSync(`${cluster}.restoring`))
    throw new Error(`a restore of ${cluster} was interrupted: repeat npm run restore`);
  const password = passwordIn(dataDir, OWNER_PASSWORD);
  if (!existsSync(cluster)) createCluster({ cluster, binaries, password, account });
  stopLeftover(cluster);
  const port = await freePort();
  const settings = archiveSettings(dataDir, cluster, account);
  const server = launchServer({ cluster, port, settings, binaries });
  const { ownerUrl: administration } = addressesOf(dataDir, String(port), 'postgres');
  const openOther = async (name: string) => {
    await makeDatabase(administration, name);
    return addressesOf(dataDir, String(port), name);
  };
  await untilReady(server, administration);
  await makeProductLogin(administration, passwordIn(dataDir, PRODUCT_PASSWORD));
  return { ...(await openOther('bellwether')), openOther, home, stop: () => stopServer(server) };
}

/** Starts the server on a cluster. `settings` are in PostgreSQL's own words. */
export function launchServer({
  cluster,
  port,
  settings,
  binaries = serverPrograms(unprivilegedAccount()),
}: {
  readonly cluster: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly binaries?: string;
}): ChildProcess {
  const account = unprivilegedAccount();
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // Our statements are short: compiling one costs more than it saves.
    jit: 'off',
    // A page from anywhere costs no more than the next one: there is no disk arm.
    random_page_cost: '1.1',
    ...settings,
  };
  return spawn(
    path.join(binaries, 'bin/postgres'),
    [
      '-D',
      cluster,
      '-p',
      String(port),
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...account,
      cwd: '/',
      env: { LC_ALL: 'C', PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
}

/** The path on disk of a data folder's cluster. */
export function clusterHomeOf(dataDir: string): string {
  return clusterHome(dataDir, unprivilegedAccount());
}

/**
 * In the data folder. As root that may be under a home that the server's account cannot enter: then in a folder of the system,
 * which a file in the data folder names, so that a folder that was moved still finds its database.
 */
function clusterHome(dataDir: string, account: Account | null): string {
  const inside = path.join(path.resolve(dataDir), 'postgres');
  if (account === null) {
    mkdirSync(inside, { recursive: true, mode: 0o755 });
    return inside;
  }
  mkdirSync(dataDir, { recursive: true });
  const note = path.join(dataDir, 'postgres-location');
  const noted = existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
  const home = noted ?? (canEnter(path.resolve(dataDir), account) ? inside : newOutside());
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const found = lstatSync(home);
  if (!found.isDirectory() || found.uid !== 0)
    throw new Error(`${home} belongs to another user: remove it, or set DATABASE_URL`);
  chmodSync(home, 0o755);
  if (home !== inside && noted === null) writeFileSync(note, `${home}\n`);
  return home;
}

function newOutside(): string {
  return path.join(OUTSIDE, randomBytes(6).toString('hex'));
}

const OUTSIDE = '/var/lib/bellwether';

function passwordIn(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

function createCluster(options: {
  cluster: string;
  binaries: string;
  password: string;
  account: Account | null;
}): void {
  const { cluster, binaries, password, account } = options;
  const unfinished = `${cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const passwordFile = `${cluster}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account !== null)
    for (const file of [unfinished, passwordFile]) chownSync(file, account.uid, account.gid);
  const made = spawnSync(
    path.join(binaries, 'bin/initdb'),
    [
      '-D',
      unfinished,
      '-U',
      'postgres',
      '--pwfile',
      passwordFile,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...account, cwd: '/', env: { LC_ALL: 'C', PATH: process.env.PATH }, encoding: 'utf8' },
  );
  rmSync(passwordFile, { force: true });
  if (made.status !== 0)
    throw new Error(`PostgreSQL could not make its data folder: ${made.error?.message ?? made.stderr}`);
  renameSync(unfinished, cluster);
}

/** After a kill -9 of our whole tree the old server may still be running on this cluster: it is stopped first. */
function stopLeftover(cluster: string): void {
  const file = path.join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  if (isServerOf(cluster, pid)) {
    process.kill(pid, 'SIGINT');
    for (let waitedMs = 0; waitedMs < 10_000 && isServerOf(cluster, pid); waitedMs += 50)
      Atomics.wait(PAUSE, 0, 0, 50);
    if (isServerOf(cluster, pid))
      throw new Error(
        `PostgreSQL (process ${pid}) still runs on ${cluster}: is Bellwether already started from this folder?`,
      );
  }
  disownLock(file);
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/**
 * PostgreSQL takes any process with the id in its lock file for a running server, even a zombie or an unrelated process
 * after a reboot. The rest of the file stays: PostgreSQL uses it to find out whether any process still uses the
 * cluster.
 */
function disownLock(file: string): void {
  if (!existsSync(file)) return;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, NO_PROCESS));
}

/** Beyond the highest process number of any system. */
const NO_PROCESS = '2147483646';

/** Whether this process is the server started on the cluster; zombies and unrelated processes are not. */
function isServerOf(cluster: string, pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  if (process.platform === 'linux') {
    try {
      // For a zombie it is empty.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster);
    } catch {
      // No such process.
      return false;
    }
  }
  const shown = spawnSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' });
  return shown.status === 0 && shown.stdout.includes(cluster) && !shown.stdout.trim().startsWith('Z');
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no free port')),
      );
    });
  });
}

export async function untilReady(server: ChildProcess, url: string): Promise<void> {
  let log = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_000);
  });
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    // A server that stops while we wait ends the connection outside any query.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (server.exitCode !== null || attempt > 600)
        throw new Error(`PostgreSQL did not start: ${String(error)}\n${log}`, { cause: error });
      await sleep(50);
    }
  }
}

async function makeDatabase(administration: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: administration });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** The product's own sign-in, with the password of its file. */
async function makeProductLogin(administration: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: administration });
  await client.connect();
  try {
    for (const [role, kind] of [
      [PRODUCT_ROLE, 'nologin'],
      [API_ROLE, 'nologin'],
      [PRODUCT_LOGIN, 'login'],
    ] as const) {
      const found = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      if (found.rowCount === 0) await client.query(`create role ${role} ${kind}`);
    }
    await client.query(
      `alter role ${PRODUCT_LOGIN} password ${client.escapeLiteral(password)}; grant ${PRODUCT_ROLE}, ${API_ROLE} to ${PRODUCT_LOGIN}`,
    );
  } finally {
    await client.end();
  }
}

export function stopServer(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    // Fast shutdown (SIGINT) ends open sessions and writes a checkpoint.
    const force = setTimeout(() => server.kill('SIGQUIT'), 8_000);
    server.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    server.kill('SIGINT');
  });
}
