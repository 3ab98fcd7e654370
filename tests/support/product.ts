// The whole product as its person starts it: own data folder, own port, a fast sandbox clock. A test can stop it as
// Ctrl-C does, kill the whole tree as a power cut does, and start it again over the same data.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { worldOf } from '#processes/environment/world.ts';
import { clusterHomeOf, findRunningDatabase } from '#processes/database/embedded-postgres.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** A first start on a machine that is busy with other tests; only one that hangs takes longer. */
export const READY_WITHIN_MS = 600_000;
const STOP_WITHIN_MS = 30_000;

export type Ended = { readonly code: number | null; readonly output: string };

export type ProductHome = {
  readonly dataDir: string;
  readonly port: number;
  readonly baseUrl: string;
  /** Starts it and waits until it is ready. If it does not get there, throws with its last output. */
  start(environment?: Record<string, string>): Promise<RunningProduct>;
  /** Starts it without waiting for anything. */
  launch(environment?: Record<string, string>): LaunchedProduct;
  /** Runs a command of the product, such as `bars`, to its end. */
  run(command: string, words?: readonly string[], environment?: Record<string, string>): Promise<Ended>;
  /** The address of its database while that runs, as the product; and as the owner. */
  databaseUrl(): string;
  ownerUrl(): string;
  /** Kills the remaining processes and removes all files. */
  remove(): Promise<void>;
};

export type LaunchedProduct = {
  readonly ended: Promise<Ended>;
  output(): string;
  /** Waits for a line; throws when the product ends first. */
  says(line: RegExp): Promise<void>;
  /** kill -9 of the process and of all that came of it, at once. */
  killTree(): Promise<void>;
};

export type RunningProduct = LaunchedProduct & {
  /** kill -9 of one role; `npm start` starts it again. */
  killRole(role: 'api' | 'trader' | 'worker'): void;
  /** Ctrl-C; returns its exit code or signal. */
  stop(): Promise<Ended>;
};

/** A place to run the product in: what `npm start` runs, without its install and its build. */
export async function productHome(): Promise<ProductHome> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-journey-'));
  const port = await freePort();
  const base = {
    ...ownEnvironment(),
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    SIGN_INS_PER_MINUTE: '1000',
  };
  const launched: LaunchedProduct[] = [];

  const launch = (environment: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [programOf(environment), 'start'], {
      cwd: ROOT,
      env: { ...base, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const product = watch(child);
    launched.push(product);
    return { child, product };
  };

  const addresses = () => {
    const found = findRunningDatabase(dataDir);
    if (found === null) throw new Error('the database of the product does not run');
    return found;
  };

  return {
    dataDir,
    port,
    baseUrl: `http://localhost:${port}`,
    launch: (environment) => launch(environment).product,
    async start(environment) {
      const { child, product } = launch(environment);
      await product.says(/Bellwether is ready/);
      return {
        ...product,
        killRole: (role) => killAll(roleOf(child.pid ?? 0, role)),
        async stop() {
          child.kill('SIGINT');
          return within(product.ended, STOP_WITHIN_MS, 'the product did not stop');
        },
      };
    },
    async run(command, words = [], environment = {}) {
      const child = spawn(process.execPath, [...entryOf(command, environment), ...words], {
        cwd: ROOT,
        env: { ...base, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return watch(child).ended;
    },
    databaseUrl: () => addresses().url,
    ownerUrl: () => addresses().ownerUrl,
    async remove() {
      for (const product of launched) await product.killTree();
      await killLeftoverDatabase(dataDir);
      const cluster = clusterHomeOf(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(cluster, { recursive: true, force: true });
    },
  };
}

/** The program that `npm start` chooses for these settings. */
function programOf(environment: Readonly<Record<string, string>>): string {
  return `src/processes/${worldOf((name) => environment[name] || null)}/main.ts`;
}

function entryOf(command: string, environment: Readonly<Record<string, string>>): readonly string[] {
  const alone = `src/processes/${command}.ts`;
  return existsSync(path.join(ROOT, alone)) ? [alone] : [programOf(environment), command];
}

function watch(child: ChildProcess): LaunchedProduct {
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output })));
  return {
    ended,
    output: () => output,
    async says(line) {
      const deadline = Date.now() + READY_WITHIN_MS;
      while (!line.test(output)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`the product ended (${child.exitCode ?? child.signalCode}):\n${output}`);
        if (Date.now() > deadline) throw new Error(`the product never said ${line}:\n${output}`);
        await sleep(20);
      }
    },
    async killTree() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      killAll(treeOf(child.pid));
      await ended;
    },
  };
}

/** The process and all its descendants, PostgreSQL's own included. */
function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of listProcesses()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** The process of a role among the descendants of `npm start`. */
function roleOf(root: number, role: string): number[] {
  const found = treeOf(root).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`/main.ts\0${role}\0`),
  );
  if (found.length === 0) throw new Error(`no process of the product is the ${role}`);
  return found;
}

function listProcesses(): { pid: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent] = /^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        // It ended between the two looks.
        return [];
      }
    });
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** A database that outlived its product, as one started between the look at the tree and the kill does. */
async function killLeftoverDatabase(dataDir: string): Promise<void> {
  if (findRunningDatabase(dataDir) === null) return;
  const file = path.join(clusterHomeOf(dataDir), 'cluster', 'postmaster.pid');
  killAll(treeOf(Number(readFileSync(file, 'utf8').split('\n', 1)[0])));
  await sleep(200);
}

/** Environment that vitest sets for its own child processes; the product must not inherit it. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _mode, DATABASE_URL: _database, ...rest } = process.env;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('VITEST')));
}

/** A port that is free at the moment. */
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

async function within<Value>(promise: Promise<Value>, ms: number, what: string): Promise<Value> {
  const late = new AbortController();
  const timeout = sleep(ms, undefined, { signal: late.signal }).then(() => {
    throw new Error(`${what} within ${ms / 1_000} s`);
  });
  timeout.catch(() => undefined);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    late.abort();
  }
}
