// The host in the middle: HAProxy leads to the primary and to the APIs that answer, PgBouncer hands out connections by session.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { keepRunning } from './database-hosts.ts';
import { DATABASE_PORT, PATRONI_PORT } from './database-hosts.ts';
import type { Host } from './hosts.ts';

export const POOLER_PORT = 6432;
export const PROXY_PORT = 3000;

export type Proxied = { readonly databases: readonly Host[]; readonly apis: readonly Host[] };

export function startProxy(host: Host, proxied: Proxied, folder: string): void {
  const haproxy = path.join(folder, 'haproxy.cfg');
  writeFileSync(haproxy, haproxyConfig(proxied));
  keepRunning(host, ['haproxy', '-W', '-f', haproxy], { log: 'haproxy' });
  const pgbouncer = path.join(folder, 'pgbouncer.ini');
  writeFileSync(pgbouncer, pgbouncerConfig(host.address, folder));
  writeFileSync(path.join(folder, 'pgbouncer-users'), '"bellwether" "only-on-this-machine"\n');
  keepRunning(host, ['pgbouncer', pgbouncer], { log: 'pgbouncer', user: 'postgres' });
}

/** As the APIs say it, while none of them can reach the database. */
const UNAVAILABLE = JSON.stringify({
  code: 'unavailable',
  message: 'The service is unavailable right now. Please try again shortly.',
}).replaceAll('"', '\\"');

function haproxyConfig({ databases, apis }: Proxied): string {
  const servers = (hosts: readonly Host[], port: number, check: string) =>
    hosts.map(({ name, address }) => `  server ${name} ${address}:${port} check ${check}`).join('\n');
  return `global
  maxconn 2000
  hard-stop-after 2s
defaults
  timeout connect 3s
  timeout check 2s
  timeout client 1h
  timeout server 1h
  option clitcpka
  option srvtcpka

# Only the primary is up here, by Patroni's word. Connections to a former one are ended: nobody waits for it.
listen database
  bind :${DATABASE_PORT}
  mode tcp
  option httpchk GET /primary
  default-server inter 1s fastinter 500ms fall 3 rise 1 on-marked-down shutdown-sessions
${servers(databases, DATABASE_PORT, `port ${PATRONI_PORT}`)}

# A request whose API has died before it took it goes to another one. The stream to browsers is an answer without an end.
listen api
  bind :${PROXY_PORT}
  mode http
  balance roundrobin
  option forwardfor
  option redispatch
  retries 2
  option httpchk GET /api/health/
  http-error status 503 content-type application/json string "${UNAVAILABLE}" hdr Retry-After 5
  default-server inter 2s fall 2 rise 1 on-marked-down shutdown-sessions
${servers(apis, PROXY_PORT, '')}
`;
}

function pgbouncerConfig(address: string, folder: string): string {
  return `[databases]
bellwether = host=127.0.0.1 port=${DATABASE_PORT} dbname=bellwether
[pgbouncer]
listen_addr = ${address}
listen_port = ${POOLER_PORT}
unix_socket_dir =
auth_type = plain
auth_file = ${folder}/pgbouncer-users
; LISTEN, session locks, prepared statements and whose rows a connection sees belong to a session.
pool_mode = session
server_reset_query = DISCARD ALL
max_client_conn = 400
default_pool_size = 60
server_login_retry = 1
tcp_keepidle = 5
tcp_keepintvl = 2
tcp_keepcnt = 3
`;
}
