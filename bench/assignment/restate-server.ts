// Restate's server as a process on a folder of its own, and HAProxy between it and the traders: to Restate a deployment is one
// address, so that something has to know which traders live.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OBJECT } from './connection-object.ts';
import { freePorts } from './free-ports.ts';

export type Restate = {
  /** Of the server and the proxy at this moment. */
  readonly pids: () => { readonly server: number; readonly proxy: number };
  /** `kill -9` of the server, which is started again at once. */
  killServer(): void;
  /** Each of these connections is held from now on. */
  hold(connections: readonly string[]): Promise<void>;
  close(): Promise<void>;
};

const FOLDER = path.join(import.meta.dirname, 'restate');
const SERVER = path.join(
  FOLDER,
  `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}`,
  'bin/restate-server',
);

/** Installs the packages of this folder where they are missing, without the scripts of others. */
export function installRestate(): void {
  if (existsSync(SERVER)) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: 'inherit',
  });
}

export function hasRestate(): boolean {
  return existsSync(SERVER);
}

/** Once the traders at these ports answer, it knows them. */
export async function startRestate(folder: string, traders: readonly number[]): Promise<Restate> {
  const [ingress, admin, node, proxy] = await freePorts(4);
  const place = path.join(folder, 'restate');
  mkdirSync(place);
  const settings = path.join(place, 'restate.toml');
  writeFileSync(settings, serverSettings({ place, ingress: ingress!, admin: admin!, node: node! }));
  const proxySettings = path.join(place, 'haproxy.cfg');
  writeFileSync(proxySettings, proxyConfig(proxy!, traders));
  const balancer = spawn('haproxy', ['-f', proxySettings], { stdio: 'ignore' });
  let isOver = false;
  let server = start();
  await untilAnswers(`http://127.0.0.1:${admin}/health`);
  await register();
  return {
    pids: () => ({ server: server.pid!, proxy: balancer.pid! }),
    killServer: () => void server.kill('SIGKILL'),
    async hold(connections) {
      for (const connection of connections)
        await post(`http://127.0.0.1:${ingress}/${OBJECT}/${connection}/hold/send`);
    },
    async close() {
      isOver = true;
      const ended = new Promise((resolve) => server.once('exit', resolve));
      for (const child of [server, balancer]) child.kill('SIGKILL');
      await ended;
    },
  };

  function start(): ChildProcess {
    const child = spawn(SERVER, ['--config-file', settings, '--no-logo'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('exit', () => {
      if (!isOver) server = start();
    });
    return child;
  }

  async function register(): Promise<void> {
    const body = JSON.stringify({ uri: `http://127.0.0.1:${proxy}` });
    for (let i = 0; ; i++) {
      try {
        return await post(`http://127.0.0.1:${admin}/deployments`, body);
      } catch (error) {
        if (i === 100) throw error;
        await sleep(200);
      }
    }
  }
}

async function post(url: string, body?: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', ...(body === undefined ? {} : { body, headers }) });
  if (!answer.ok) throw new Error(`${answer.status} of ${url}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function untilAnswers(url: string): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`nothing answered at ${url}`);
}

type Ports = {
  readonly place: string;
  readonly ingress: number;
  readonly admin: number;
  readonly node: number;
};

/** As it comes, but for a machine of two cores: fewer partitions and less memory; 1,001 holds at once; it misses a lost
 * connection within seconds; and it says nothing to its vendor. */
function serverSettings({ place, ingress, admin, node }: Ports): string {
  return `base-dir = "${place}/data"
node-name = "trial"
cluster-name = "trial"
listen-mode = "tcp"
bind-address = "127.0.0.1:${node}"
advertised-address = "http://127.0.0.1:${node}/"
auto-provision = true
default-num-partitions = 4
rocksdb-total-memory-size = "256 MiB"
disable-telemetry = true
log-filter = "error,octocrab=off"
[ingress]
bind-address = "127.0.0.1:${ingress}"
[admin]
bind-address = "127.0.0.1:${admin}"
[worker.invoker]
connect-timeout = "1s"
http2-keep-alive-interval = "1s"
http2-keep-alive-timeout = "3s"
concurrent-invocations-limit = 20000
`;
}

/** A trader that was stopped answers no check: its streams are ended after nine seconds at most, well within a lease, and a busy one keeps them. */
function proxyConfig(port: number, traders: readonly number[]): string {
  return `global
  maxconn 4000
defaults
  mode http
  timeout connect 1s
  timeout check 2s
  timeout client 24h
  timeout server 24h
frontend restate
  bind 127.0.0.1:${port} proto h2
  default_backend traders
backend traders
  balance leastconn
  option redispatch 1
  retries 5
  retry-on conn-failure
  option httpchk
  http-check connect proto h2
  http-check send meth GET uri /health ver HTTP/2 hdr host traders
  default-server proto h2 check inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${traders.map((trader, i) => `  server trader-${i} 127.0.0.1:${trader}`).join('\n')}
`;
}
