// Kills the sandbox process without warning while orders arrive and fill, restarts it on the same folder, and audits its
// books: each acknowledged order is there once, and cash and positions match the executions.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokers } from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import { CALLBACK } from '../conformance/broker/steps.ts';
import { TRADING_COSTS } from '#engine/market/costs.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Broker, BrokerAnswer } from '#ports/broker.ts';
import { consumerFiles } from '#sandbox/interactive-brokers/sign-in/consumer.ts';
import { scale, micro, notional } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { decide } from './interactive-brokers-harness.ts';

const project = resolve(import.meta.dirname, '../..');
let folder: string;
let port: number;
let sandbox: ChildProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-kill-'));
  port = await freePort();
  sandbox = await start();
});
afterEach(async () => {
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

it('loses and doubles nothing when killed while orders arrive and fill', async () => {
  const coins = await instruments();
  const broker = connect(coins);
  const pending = ok(await broker.beginAuthorization({ callbackUrl: CALLBACK }));
  const verifier = (await decide(pending.authorizeUrl, 'approve', 'survivor')) ?? '';
  const { requestToken } = pending;
  const granted = ok(await broker.completeAuthorization({ requestToken, verifier }));
  const [account] = ok(await ok(await broker.openSession(granted.credentials)).accounts());
  const accountId = account?.accountId;
  if (!accountId) throw new Error('no account');

  const acknowledged = new Set<string>();
  const sent = new Set<string>();
  for (let round = 0; round < 3; round++) {
    const session = ok(await broker.openSession(granted.credentials));
    const last = await lastPrices(coins);
    const sending = Array.from({ length: 60 }, async (_, index) => {
      const coin = coins[index % coins.length];
      if (!coin) throw new Error('no coin');
      const id = `k${round}-${index}`;
      const order = orderOf(coin, {
        id,
        side: index % 3 === 0 ? 'sell' : 'buy',
        last: last.get(coin.symbol) ?? 0,
      });
      sent.add(order.clientOrderId);
      const result = await session.submitOrder(accountId, order);
      if (result.outcome === 'accepted') acknowledged.add(order.clientOrderId);
    });
    // In the middle of it, at any load of the machine: some orders are acknowledged, the others are in flight.
    const enough = acknowledged.size + 1 + 4 * round;
    for (let look = 0; look < 2_000 && acknowledged.size < enough; look++)
      await new Promise((done) => setTimeout(done, 5));
    await kill();
    await Promise.all(sending);
    sandbox = await start();
  }
  await kill();

  expect(acknowledged.size).toBeGreaterThan(0);
  // Lists show the orders of one brokerage session only; the books have all of them.
  const found = clientOrderIdsOf(accountId);
  expect(new Set(found).size).toBe(found.length);
  expect([...acknowledged].filter((id) => !found.includes(id))).toEqual([]);
  expect(found.filter((id) => !sent.has(id))).toEqual([]);
  auditBooks(accountId, coins);
}, 90_000);

function clientOrderIdsOf(accountId: string): string[] {
  const books = new DatabaseSync(join(folder, 'sandbox', 'brokerage.sqlite'), { readOnly: true });
  const rows = books.prepare('SELECT client_order_id FROM orders WHERE account_id = ?').all(accountId);
  books.close();
  return rows.map((row) => String(row.client_order_id));
}

/** Recomputes cash and positions from the executions alone. */
function auditBooks(accountId: string, coins: readonly Instrument[]): void {
  const books = new DatabaseSync(join(folder, 'sandbox', 'brokerage.sqlite'), { readOnly: true });
  const rows = books
    .prepare(
      'SELECT o.order_id, o.symbol, o.side, o.filled, o.quantity AS ordered, e.* FROM executions e JOIN orders o USING (order_id) WHERE e.account_id = ?',
    )
    .all(accountId);
  let cash = 1_000_000_000_000;
  const held = new Map<string, number>();
  for (const row of rows) {
    const part = quantity(Number(row.quantity));
    const price = Number(row.price);
    const paid = notional(part, price);
    expect(Number(row.commission_micro)).toBe(scale(micro(paid), TRADING_COSTS.crypto.commissionRate));
    cash += (row.side === 'BUY' ? -paid : paid) - Number(row.commission_micro);
    const symbol = String(row.symbol);
    held.set(symbol, (held.get(symbol) ?? 0) + (row.side === 'BUY' ? part : -part));
    expect(coins.some((coin) => coin.symbol === symbol)).toBe(true);
    expect(Number(row.filled)).toBeLessThanOrEqual(Number(row.ordered));
  }
  const account = books.prepare('SELECT cash_micro FROM accounts WHERE account_id = ?').get(accountId);
  expect(Number(account?.cash_micro)).toBe(cash);
  for (const row of books
    .prepare('SELECT symbol, quantity FROM positions WHERE account_id = ?')
    .all(accountId))
    expect(Number(row.quantity)).toBe(held.get(String(row.symbol)) ?? 0);
  const sums = books
    .prepare(
      'SELECT filled, (SELECT coalesce(sum(quantity), 0) FROM executions e WHERE e.order_id = o.order_id) AS executed FROM orders o',
    )
    .all();
  for (const { filled, executed } of sums) expect(executed).toBe(filled);
  books.close();
}

/** Marketable, and near enough to the market to raise no question. */
function orderOf(coin: Instrument, order: { id: string; side: 'buy' | 'sell'; last: number }): ApprovedOrder {
  const { id, side, last } = order;
  return {
    symbol: coin.symbol,
    side,
    quantity: coin.quantityStep as Quantity,
    limitPrice: last * (side === 'buy' ? 1.05 : 0.95),
    referencePrice: 1,
    purpose: 'rebalance',
    clientOrderId: id,
  } as unknown as ApprovedOrder;
}

async function instruments(): Promise<readonly Instrument[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/market/instruments`);
  const { results } = (await answer.json()) as { results: readonly Instrument[] };
  return results.filter(({ kind }) => kind === 'crypto');
}

async function lastPrices(coins: readonly Instrument[]): Promise<ReadonlyMap<string, number>> {
  const symbols = coins.map(({ symbol }) => symbol).join(',');
  const answer = await fetch(`http://127.0.0.1:${port}/market/quotes?symbols=${symbols}`);
  const { results } = (await answer.json()) as { results: readonly { symbol: string; last: number }[] };
  return new Map(results.map(({ symbol, last }) => [symbol, last]));
}

function connect(coins: readonly Instrument[]): Broker {
  const files = consumerFiles(join(folder, 'sandbox', 'consumer'));
  const consumer = JSON.parse(readFileSync(files.json, 'utf8')) as Record<string, string>;
  return interactiveBrokers({
    baseUrl: `http://127.0.0.1:${port}/v1/api`,
    authorizeUrl: `http://127.0.0.1:${port}/authorize`,
    consumerKey: String(consumer.consumer_key),
    realm: String(consumer.realm),
    dhPrimeHex: String(consumer.dh_prime_hex),
    signaturePrivateKeyPem: readFileSync(files.signaturePrivatePem, 'utf8'),
    encryptionPrivateKeyPem: readFileSync(files.encryptionPrivatePem, 'utf8'),
    findInstrument: (symbol) => coins.find((coin) => coin.symbol === symbol) ?? null,
    rateLimits: NO_RATE_LIMITS,
    timeoutMs: 5_000,
  });
}

async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['sandbox/start.ts'], {
    cwd: project,
    env: {
      ...process.env,
      DATA_DIR: folder,
      SANDBOX_PORT: String(port),
      SANDBOX_DAY_SECONDS: '2',
      MARKET: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((listening, failed) => {
    child.stdout?.once('data', () => listening());
    child.once('exit', (code) => failed(new Error(`the sandbox ended with ${code}`)));
  });
  return child;
}

async function kill(): Promise<void> {
  if (sandbox.exitCode !== null || sandbox.signalCode !== null) return;
  const ended = new Promise((done) => sandbox.once('exit', done));
  sandbox.kill('SIGKILL');
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}
