// The deployment detail poll: requests per second and p99 of GET /api/deployments/{id}/ through the whole server on a
// real database, next to a bare node:http server that returns the same bytes: once while nothing trades, once while
// every deployment is revalued each second. Only ratios within one run are meaningful.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import { ownerPool } from '../tests/support/test-database.ts';
import { issueAccessToken } from '#server/identity/session/access-token.ts';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { type LoadResult, runLoad } from './load-generator.ts';
import { benchApp } from './bench-app.ts';
import { type BenchDatabase, onBenchDatabase } from './bench-database.ts';
import { benchKeys } from './bench-keys.ts';

const USERS = 200;
const DEPLOYMENTS_EACH = 5;
const POSITIONS_EACH = 6;
const ORDERS_EACH = 40;
const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS_A_ROUND = 4;

await onBenchDatabase(run);

async function run({ records, writer, ownerUrl }: BenchDatabase): Promise<void> {
  const now = () => instant(Date.now());
  const keys = await benchKeys(writer.database);
  const app = await benchApp({ records, keys, now });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const requests: string[] = [];
  for (const { userId, sessionId, deployments } of await fill(writer.pool, ownerUrl)) {
    const token = await issueAccessToken({ userId, sessionId }, keys.newest('access_token'), now());
    for (const id of deployments) requests.push(requestOf(`/api/deployments/${id}/`, token));
  }
  const sample = await fetch(`http://127.0.0.1:${portOf(app.server)}${requests[0]!.split(' ')[1]!}`, {
    headers: { authorization: /authorization: (.*)\r/.exec(requests[0]!)![1]! },
  });
  const body = Buffer.from(await sample.arrayBuffer());
  const bare = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));

  await load(portOf(app.server), requests, 2);
  await load(portOf(bare), requests, 1);
  const rounds: { floor: LoadResult; quiet: LoadResult; marked: LoadResult }[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    rounds.push({
      floor: await load(portOf(bare), requests, SECONDS_A_ROUND),
      quiet: await load(portOf(app.server), requests, SECONDS_A_ROUND),
      marked: await whileMarking(writer.pool, () => load(portOf(app.server), requests, SECONDS_A_ROUND)),
    });
  }
  const floor = median(rounds.map((round) => round.floor));
  const quiet = median(rounds.map((round) => round.quiet));
  const marked = median(rounds.map((round) => round.marked));
  console.log(`${requests.length} deployments, ${body.length} bytes each, ${CONNECTIONS} connections`);
  console.log(row('bare node:http', floor, floor));
  console.log(row('detail, quiet', quiet, floor));
  console.log(row('detail, marked 1/s', marked, floor));
  bare.close();
  await app.close();
}

function load(port: number, requests: readonly string[], seconds: number): Promise<LoadResult> {
  return runLoad({ port, requests, connections: CONNECTIONS, seconds });
}

function median(results: readonly LoadResult[]): LoadResult {
  return results.toSorted((left, right) => left.perSecond - right.perSecond)[Math.floor(results.length / 2)]!;
}

function row(name: string, { perSecond, p50Ms, p99Ms }: LoadResult, floor: LoadResult): string {
  const rate = Math.round(perSecond).toLocaleString('en-US').padStart(7);
  const ratio = (perSecond / floor.perSecond).toFixed(2);
  return `${name.padEnd(20)}${rate} requests/s  ${ratio} of bare  p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms`;
}

async function whileMarking<Result>(pool: Pool, work: () => Promise<Result>): Promise<Result> {
  let marking: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    marking = pool.query('update deployments set marked_at = now(), revision = revision + 1');
  }, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await marking;
  }
}

function portOf(listening: { address(): AddressInfo | string | null }): number {
  return (listening.address() as AddressInfo).port;
}

function requestOf(url: string, token: string): string {
  return `GET ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;
}

type Filled = { userId: UserId; sessionId: string; deployments: string[] };

async function fill(pool: Pool, ownerUrl: string): Promise<Filled[]> {
  const [strategy, version, broker] = [randomUUID(), randomUUID(), randomUUID()];
  const symbols = Array.from({ length: POSITIONS_EACH }, (_, i) => `S${i}`);
  await pool.query(
    `insert into instruments (symbol, kind, name, currency, quantity_step, price_decimals, calendar, settlement, source)
     select s, 'equity', s, 'USD', 1, 2, 'us-equity', 'cash', 'sandbox' from unnest($1::text[]) s`,
    [symbols],
  );
  await pool.query(
    `insert into strategies (id, slug, name, short_description, description, kind, strategy_type, market, risk_level,
       risk_score, min_investment_micro) values ($1, 's', 'Strategy', '', '', 'equity', 'momentum', 'us', 'low', 1, 1)`,
    [strategy],
  );
  await pool.query(
    `insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at)
     values ($1, $2, 1, '{}', 'h', now())`,
    [version, strategy],
  );
  await pool.query(
    `insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position)
     values ($1, 'b', 'B', '', '', '', '{}', 'available', 1)`,
    [broker],
  );
  const filled: Filled[] = [];
  for (let i = 0; i < USERS; i++) filled.push(await fillUser(pool, { strategy, version, broker }));
  await fillTrading(pool, symbols);
  const owner = ownerPool(ownerUrl);
  await owner.query('vacuum analyze');
  await owner.end();
  return filled;
}

async function fillUser(
  pool: Pool,
  of: { strategy: string; version: string; broker: string },
): Promise<Filled> {
  const [userId, sessionId, connection] = [randomUUID(), randomUUID(), randomUUID()];
  await pool.query(
    `insert into users (id, email, password_hash, first_name) values ($1, $1::uuid::text, 'x', 'A')`,
    [userId],
  );
  await pool.query(
    `insert into sessions (id, user_id, remember, expires_at) values ($1, $2, false, now() + interval '1 day')`,
    [sessionId, userId],
  );
  await pool.query(
    `insert into broker_connections (id, user_id, broker_id, status, expires_at) values ($1, $2, $3, 'active', now())`,
    [connection, userId, of.broker],
  );
  const { rows } = await pool.query<{ id: string }>(
    `insert into deployments (id, user_id, strategy_id, strategy_version_id, broker_connection_id, status,
       investment_micro, return_base_micro, stop_loss_percentage, max_allocation_percent, freeze_on_drawdown_percent, cash_micro,
       equity_micro, peak_equity_micro, high_water_mark_micro, deployed_at, marked_at)
     select gen_random_uuid(), $1, $2, $3, $4, 'active', 1e10, 1e10, 10, 20, 25, 4e9, 1e10, 1e10, 1e10, now(), now()
     from generate_series(1, $5::int) returning id`,
    [userId, of.strategy, of.version, connection, DEPLOYMENTS_EACH],
  );
  return { userId: userId as UserId, sessionId, deployments: rows.map(({ id }) => id) };
}

async function fillTrading(pool: Pool, symbols: readonly string[]): Promise<void> {
  await pool.query(
    `insert into positions (deployment_id, symbol, quantity, cost_micro, mark_price, current_value_micro,
       total_cost_micro, unrealized_micro, notional_micro, opened_at, marked_at)
     select d.id, s, 10, 1e9, 101.25, 1012500000, 1e9, 12500000, 1012500000, now(), now()
     from deployments d cross join unnest($1::text[]) s`,
    [symbols],
  );
  await pool.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, filled_quantity, realized_micro, decided_at)
     select gen_random_uuid(), d.id, d.broker_connection_id, gen_random_uuid()::text, n::text, 'rebalance', 1, 'S0',
       'buy', 10, 100, 100, 'filled', 10, n - 20, now()
     from deployments d cross join generate_series(1, $1::int) n`,
    [ORDERS_EACH],
  );
}
