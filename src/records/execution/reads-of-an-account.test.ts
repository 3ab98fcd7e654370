// What a look reads of one account must not grow with the orders and fills of all others.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { RESTLESS } from '#tests/kill-campaign/strategies.ts';
import { insertDeployment, insertPerson, insertStrategy } from '#tests/support/trading-rows.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import type { BrokerAccountId, BrokerConnectionId, DeploymentId, Symbol } from '#units/identifiers.ts';
import { type Instant, parseInstant } from '#units/instant.ts';
import { cashMovedIn } from '../cash/account-openings.ts';
import { findPendingSince } from '../cash/cash-facts.ts';
import { listHoldingsOfAccount, listUntouchedHoldings } from '../invariants/account-holdings.ts';
import type { Database } from '../postgres/database.ts';
import { ordersAtBroker } from '../brokerage/trading-connections.ts';
import {
  listCrossedExits,
  listInTheWayOfExits,
  listOrdersOfOthers,
  listStopsInTheWayAcross,
  listStopsKeptWaiting,
  listUnderWay,
  readAroundOrders,
} from './account-orders.ts';
import { provisionalSince } from './commissions.ts';
import { lastExecutionAt } from './fills.ts';
import { countStopAttempts, listStopsAtBroker, listStopsInTheWay } from './protective-orders.ts';

const { database, pool, owner } = await testDatabase();
const now = (): Instant => parseInstant('2026-01-05T12:00:00Z');
const rows = { database, pool, newId: randomUUID, now };

const ACCOUNTS = 60;
const ORDERS_EACH = 100;

type Asked = {
  readonly account: BrokerAccountId;
  readonly connection: BrokerConnectionId;
  readonly deployment: DeploymentId;
};
const SYMBOL = 'S1' as Symbol;
const UNTRADED = 'S5' as Symbol;

const READS: Readonly<Record<string, (read: Database, asked: Asked) => Promise<unknown>>> = {
  listHoldingsOfAccount: (read, { account }) => listHoldingsOfAccount(read, account),
  listUntouchedHoldings: (read, { account }) => listUntouchedHoldings(read, account, [SYMBOL, UNTRADED]),
  cashMovedIn: (read, { account }) => cashMovedIn(read, account),
  findPendingSince: (read, { account }) => findPendingSince(read, account),
  ordersAtBroker: (read, { connection }) => ordersAtBroker(read, connection),
  listUnderWay: (read, { account }) => listUnderWay(read, account),
  listCrossedExits: (read, { account }) => listCrossedExits(read, account),
  listInTheWayOfExits: (read, { account }) => listInTheWayOfExits(read, account),
  listStopsInTheWayAcross: (read, { account }) => listStopsInTheWayAcross(read, account),
  listStopsKeptWaiting: (read, { account }) => listStopsKeptWaiting(read, account, now()),
  readAroundOrders: (read, { account }) => readAroundOrders(read, [{ account, symbol: SYMBOL, side: 'buy' }]),
  listOrdersOfOthers: (read, { account, connection }) =>
    listOrdersOfOthers(read, { account, connection }, { client: ['one'], broker: ['two'] }),
  lastExecutionAt: (read, { connection }) => lastExecutionAt(read, connection),
  provisionalSince: (read, { connection }) => provisionalSince(read, connection),
  listStopsAtBroker: (read, { account }) => listStopsAtBroker(read, account),
  listStopsInTheWay: (read, { connection }) => listStopsInTheWay(read, connection),
  countStopAttempts: (read, { deployment }) => countStopAttempts(read, [deployment]),
};

const asked = await fill();

test.each(Object.entries(READS))('%s reads no table from end to end', async (_, read) => {
  await database.connection().execute(async (session) => {
    const before = await readInSequence(session);
    await read(session, asked);
    expect(await readInSequence(session)).toEqual(before);
  });
});

/** Rows of the large tables that sequential scans have read. */
async function readInSequence(session: Database): Promise<unknown> {
  // What a session counts is written between two of its statements.
  for (let i = 0; i < 2; i++) await sql`select pg_stat_force_next_flush()`.execute(session);
  const { rows: found } = await sql`select relname, seq_tup_read::int as read from pg_stat_user_tables
    where relname in ('orders', 'fills') order by relname`.execute(session);
  return found;
}

async function fill(): Promise<Asked> {
  const version = await insertStrategy(rows, RESTLESS[0]!);
  const people: Asked[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const person = await insertPerson(rows);
    const deployment = await insertDeployment(rows, version, { person });
    people.push({ ...person, deployment } as unknown as Asked);
  }
  await pool.query(
    `insert into instruments (symbol, kind, name, currency, quantity_step, price_decimals, calendar, settlement, source)
     select 'S' || n, 'equity', 'S' || n, 'USD', 1, 2, 'us-equity', 'cash', 'sandbox' from generate_series(0, 5) n`,
  );
  const client = await owner.connect();
  // Ended orders of years, without the rules of a life that nobody has lived.
  await client.query(`set session_replication_role = replica`);
  await client.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side, quantity,
       limit_price, reference_price, filled_quantity, status, broker_order_id, visibility, decided_at, priced_at, sent_at, ended_at)
     select gen_random_uuid(), d.id, d.broker_connection_id, 'o' || row_number() over (), 'c' || n, 'rebalance', 1, 'S' || n % 5,
       'buy', 1, 1, 1, 1, 'filled', 'b' || n, 'shown', t.at, t.at, t.at, t.at
     from deployments d, generate_series(1, ${ORDERS_EACH}) n, lateral (select timestamptz '2025-01-01' + n * interval '1 day' as at) t`,
  );
  await client.query(
    `insert into fills (execution_id, account_id, order_id, deployment_id, symbol, side, quantity, price, commission_micro,
       realized_micro, executed_at)
     select o.client_order_id, c.account_id, o.id, o.deployment_id, o.symbol, 'buy', 1, 1, 0, 0, o.sent_at
     from orders o join broker_connections c on c.id = o.broker_connection_id`,
  );
  client.release(true);
  await owner.query('vacuum analyze');
  return people[0]!;
}
