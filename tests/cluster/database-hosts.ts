// Three PostgreSQL servers that Patroni keeps: one primary and two standbys, one of them synchronous at any time, and etcd on each
// host, which says who leads. A commit is acknowledged only once a standby has it, or not at all.
import { chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { PRODUCT_ROLE } from '#records/postgres/product-role.ts';
import { API_ROLE } from '#records/postgres/row-scope.ts';
import { type Host, KEEPER, until } from './hosts.ts';

export const DATABASE_PORT = 5432;
export const PATRONI_PORT = 8008;
const PASSWORD = 'only-on-this-machine';
const PROGRAMS = '/usr/lib/postgresql/15/bin';

export type DatabaseHosts = {
  readonly hosts: readonly Host[];
  /** Who leads by its own word; null while nobody does. */
  primary(): Promise<Host | null>;
  /** The one that has every acknowledged commit; null while there is none, and nothing is acknowledged. */
  synchronous(): Promise<Host | null>;
};

export async function startDatabaseHosts(hosts: readonly Host[], folder: string): Promise<DatabaseHosts> {
  const account = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
  for (const host of hosts) startEtcd(host, hosts, folder);
  for (const host of hosts) {
    const home = path.join(folder, host.name);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    chownSync(home, account, account);
    const file = path.join(folder, `${host.name}.yml`);
    writeFileSync(file, JSON.stringify(patroniConfig(host, hosts, home), null, 1));
    startPatroni(host, file);
  }
  const databases = databasesAt(hosts);
  await until('a primary with a synchronous standby', 120_000, async () =>
    Boolean((await databases.primary()) && (await databases.synchronous())),
  );
  return databases;
}

export function databasesAt(hosts: readonly Host[]): DatabaseHosts {
  const having = (role: string) => async () => {
    const found = await Promise.all(hosts.map((host) => hasRole(host, role)));
    return hosts.find((_, index) => found[index]) ?? null;
  };
  return { hosts, primary: having('primary'), synchronous: having('sync') };
}

async function hasRole(host: Host, role: string): Promise<boolean> {
  try {
    const url = `http://${host.address}:${PATRONI_PORT}/${role}`;
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}

function startEtcd(host: Host, hosts: readonly Host[], folder: string): void {
  const peers = hosts.map(({ name, address }) => `${name}=http://${address}:2380`).join(',');
  keepRunning(
    host,
    [
      'etcd',
      `--name=${host.name}`,
      `--data-dir=${path.join(folder, `${host.name}.etcd`)}`,
      `--listen-client-urls=http://${host.address}:2379`,
      `--advertise-client-urls=http://${host.address}:2379`,
      `--listen-peer-urls=http://${host.address}:2380`,
      `--initial-advertise-peer-urls=http://${host.address}:2380`,
      `--initial-cluster=${peers}`,
      '--enable-v2=true',
      '--heartbeat-interval=200',
      '--election-timeout=2000',
    ],
    { log: `${host.name}-etcd` },
  );
}

function startPatroni(host: Host, file: string): void {
  keepRunning(host, ['patroni', file], { log: `${host.name}-patroni`, user: 'postgres' });
}

/** As systemd would: what has ended is started again after a second, while its host is there. */
export function keepRunning(
  host: Host,
  command: readonly string[],
  options: Parameters<Host['spawn']>[1],
): void {
  host.spawn(['sh', '-c', 'while :; do "$@"; sleep 1; done', KEEPER, ...command], options);
}

function patroniConfig(host: Host, hosts: readonly Host[], home: string): object {
  return {
    scope: 'bellwether',
    name: host.name,
    restapi: {
      listen: `${host.address}:${PATRONI_PORT}`,
      connect_address: `${host.address}:${PATRONI_PORT}`,
    },
    etcd: { hosts: hosts.map(({ address }) => `${address}:2379`) },
    bootstrap: {
      dcs: {
        // Seconds after which a silent primary has lost its place.
        ttl: 12,
        loop_wait: 2,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        // A killed primary is replaced at once, not started again in its place.
        master_start_timeout: 0,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 200,
            jit: 'off',
            random_page_cost: 1.1,
            synchronous_commit: 'on',
            wal_log_hints: 'on',
            max_wal_senders: 10,
            wal_sender_timeout: '10s',
            wal_receiver_timeout: '10s',
            wal_receiver_status_interval: '1s',
            wal_retrieve_retry_interval: '1s',
            tcp_keepalives_idle: 5,
            tcp_keepalives_interval: 2,
            tcp_keepalives_count: 3,
            tcp_user_timeout: '10s',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${host.address}:${DATABASE_PORT}`,
      connect_address: `${host.address}:${DATABASE_PORT}`,
      data_dir: path.join(home, 'data'),
      bin_dir: programsOf(host, home),
      pgpass: path.join(home, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewinder', password: PASSWORD },
      },
      parameters: { unix_socket_directories: home },
      pg_hba: [
        'local all all scram-sha-256',
        'host all all 0.0.0.0/0 scram-sha-256',
        'host replication replicator 0.0.0.0/0 scram-sha-256',
      ],
    },
  };
}

/** PostgreSQL's programs, of which the server reads the clock of its host; Patroni's own waiting goes by steady time. */
function programsOf(host: Host, home: string): string {
  const folder = path.join(home, 'bin');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(PROGRAMS))
    if (name !== 'postgres') symlinkSync(path.join(PROGRAMS, name), path.join(folder, name));
  const server = `#!/bin/sh\nexec env ${host.clockVariables.join(' ')} ${PROGRAMS}/postgres "$@"\n`;
  writeFileSync(path.join(folder, 'postgres'), server, { mode: 0o755 });
  return folder;
}

export type ClusterAddresses = { readonly ownerUrl: string; readonly url: string };

/** The product's database and its sign-in, made by way of the proxy. */
export async function makeDatabase(proxy: string): Promise<ClusterAddresses> {
  const urlOf = (user: string, database: string) => `postgres://${user}:${PASSWORD}@${proxy}/${database}`;
  const client = new pg.Client({ connectionString: urlOf('postgres', 'postgres') });
  await client.connect();
  await client.query('create database bellwether');
  for (const role of [PRODUCT_ROLE, API_ROLE]) await client.query(`create role ${role} nologin`);
  await client.query(`create role bellwether login password '${PASSWORD}'`);
  await client.query(`grant ${PRODUCT_ROLE}, ${API_ROLE} to bellwether`);
  await client.end();
  return { ownerUrl: urlOf('postgres', 'bellwether'), url: urlOf('bellwether', 'bellwether') };
}
