// The product on many hosts: three databases, a proxy, three APIs, four traders, two workers and the outside world, each a network
// namespace of this machine. Everything is removed again, also what a killed run has left. Clusters with different numbers run side by side.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import {
  type ClusterAddresses,
  DATABASE_PORT,
  type DatabaseHosts,
  keepRunning,
  makeDatabase,
  startDatabaseHosts,
} from './database-hosts.ts';
import { buildHost, buildSwitch, type Host, removeHosts, until } from './hosts.ts';
import { POOLER_PORT, PROXY_PORT, startProxy } from './proxy-host.ts';

export type Cluster = {
  readonly databases: DatabaseHosts;
  readonly proxy: Host;
  readonly apis: readonly Host[];
  readonly traders: readonly Host[];
  readonly workers: readonly Host[];
  /** Market and brokerage. */
  readonly world: Host;
  readonly all: readonly Host[];
  /** What people's browsers are given. */
  readonly baseUrl: string;
  readonly sandboxUrl: string;
  readonly consumerKeys: string;
  readonly addresses: ClusterAddresses;
  readonly folder: string;
};

const folderOf = (number: number) => `/tmp/bellwether-cluster-${number}`;
export const SANDBOX_PORT = 3100;
const PROGRAM = 'src/processes/demo-world/main.ts';

type Options = {
  /** From 0 to 255. */
  readonly number: number;
  readonly daySeconds: number;
  readonly say: (line: string) => void;
};

/** In the folder that `claimFolder` has claimed. */
export async function buildCluster({ number, daySeconds, say }: Options): Promise<Cluster> {
  buildSwitch(number);
  const folder = folderOf(number);
  const place = { network: number, folder };
  const many = (name: string, from: number, count: number) =>
    Array.from({ length: count }, (_, i) => buildHost(`${name}${i + 1}`, from + i, place));
  const proxy = buildHost('proxy', 10, place);
  const [databaseHosts, apis, traders, workers] = [
    many('database', 11, 3),
    many('api', 21, 3),
    many('trader', 31, 4),
    many('worker', 41, 2),
  ];
  const world = buildHost('world', 50, place);
  const baseUrl = `http://${proxy.address}:${PROXY_PORT}`;
  say('Starting three databases and a proxy…');
  startProxy(proxy, { databases: databaseHosts, apis }, folder);
  const databases = await startDatabaseHosts(databaseHosts, folder);
  let addresses: ClusterAddresses | undefined;
  await until('a database behind the proxy', 30_000, async () => {
    addresses = await makeDatabase(`${proxy.address}:${DATABASE_PORT}`);
    return true;
  });
  const sandboxUrl = `http://${world.address}:${SANDBOX_PORT}`;
  const data = path.join(folder, 'data');
  startSandbox(world, { data, daySeconds, baseUrl });
  await until('the market', 60_000, async () => (await sandboxFeed(sandboxUrl).clock()).ok);
  const settings = {
    ...productSettings({ sandboxUrl, data, daySeconds }),
    PUBLIC_URL: baseUrl,
    TRUST_PROXY: `${proxy.address}/32`,
  };
  const direct = addresses!.url;
  const pooled = direct.replace(`:${DATABASE_PORT}/`, `:${POOLER_PORT}/`);
  say('Making the catalogue…');
  await runCatalogue(workers[0]!, {
    folder,
    env: { ...settings, DATABASE_URL: direct, DATABASE_OWNER_URL: addresses!.ownerUrl },
  });
  say('Starting three APIs, four traders and two workers…');
  const start = (host: Host, role: string, url: string) =>
    keepRunning(host, [process.execPath, PROGRAM, role], {
      log: host.name,
      env: { ...settings, DATABASE_URL: url },
      ownClock: true,
    });
  // Whoever has many short transactions comes by way of the pooler; a trader keeps its few connections for itself.
  for (const host of apis) start(host, 'api', pooled);
  for (const host of workers) start(host, 'worker', pooled);
  for (const host of traders) start(host, 'trader', direct);
  await until('an answer from the APIs', 120_000, async () => (await fetch(`${baseUrl}/api/health/`)).ok);
  const all = [proxy, ...databaseHosts, ...apis, ...traders, ...workers, world];
  return {
    databases,
    proxy,
    apis,
    traders,
    workers,
    world,
    all,
    baseUrl,
    sandboxUrl,
    addresses: addresses!,
    folder,
    consumerKeys: consumerKeysIn(data),
  };
}

const consumerKeysIn = (data: string) => path.join(data, 'sandbox', 'consumer');

export function removeCluster(number: number): void {
  removeHosts(number);
  // What was killed may still be writing its last.
  rmSync(folderOf(number), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Copies of all hosts' logs, which stay when the hosts are removed. Returns where. */
export function keepLogs(number: number): string {
  const folder = folderOf(number);
  const kept = `${folder}-logs-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`;
  mkdirSync(kept);
  for (const file of readdirSync(folder))
    if (file.endsWith('.log')) copyFileSync(path.join(folder, file), path.join(kept, file));
  return kept;
}

/** What a killed run has left is removed first; one that still runs is left alone: then it throws. */
export function claimFolder(number: number): void {
  const folder = folderOf(number);
  const lock = path.join(folder, 'pid');
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (pid !== process.pid && command.includes('tests/cluster'))
      throw new Error(
        `cluster ${number} runs already on this machine, as process ${pid}; --number takes another`,
      );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  removeCluster(number);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  writeFileSync(lock, String(process.pid));
}

type Sandbox = { readonly data: string; readonly daySeconds: number; readonly baseUrl: string };

function startSandbox(world: Host, { data, daySeconds, baseUrl }: Sandbox): void {
  keepRunning(world, [process.execPath, 'sandbox/start.ts'], {
    log: 'world',
    env: {
      DATA_DIR: data,
      SANDBOX_HOST: '0.0.0.0',
      SANDBOX_PORT: String(SANDBOX_PORT),
      SANDBOX_DAY_SECONDS: String(daySeconds),
      // Nobody trades by hand beside the product.
      SANDBOX_HABITS: 'off',
      PUBLIC_URL: baseUrl,
    },
  });
}

type Product = { readonly sandboxUrl: string; readonly data: string; readonly daySeconds: number };

function productSettings({ sandboxUrl, data, daySeconds }: Product): Record<string, string> {
  const consumer = consumerKeysIn(data);
  const made = JSON.parse(readFileSync(path.join(consumer, 'consumer.json'), 'utf8')) as Record<
    string,
    string
  >;
  return {
    // One folder on a disk that all hosts share: keys and anchors.
    DATA_DIR: data,
    HOST: '0.0.0.0',
    PORT: String(PROXY_PORT),
    SIGN_INS_PER_MINUTE: '100000',
    SANDBOX_DAY_SECONDS: String(daySeconds),
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../node_modules/.cache/compiled'),
    DATABASE_STANDBY: 'synchronous',
    MARKET_FEED_URL: sandboxUrl,
    IBKR_BASE_URL: `${sandboxUrl}/v1/api`,
    IBKR_AUTHORIZE_URL: `${sandboxUrl}/authorize`,
    IBKR_CONSUMER_KEY: made.consumer_key ?? '',
    IBKR_REALM: made.realm ?? '',
    IBKR_DH_PRIME_HEX: made.dh_prime_hex ?? '',
    IBKR_SIGNATURE_KEY_FILE: path.join(consumer, 'signature-private.pem'),
    IBKR_ENCRYPTION_KEY_FILE: path.join(consumer, 'encryption-private.pem'),
  };
}

type Catalogue = { readonly folder: string; readonly env: Record<string, string> };

async function runCatalogue(host: Host, { folder, env }: Catalogue): Promise<void> {
  const child = host.spawn([process.execPath, PROGRAM, 'catalogue'], { log: 'catalogue', env });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0)
    throw new Error(`the catalogue failed: ${readFileSync(path.join(folder, 'catalogue.log'), 'utf8')}`);
}
