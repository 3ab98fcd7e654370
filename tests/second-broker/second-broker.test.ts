// The stand-in itself: the product's adapter signs in at it, and each documented habit is there.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokers } from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import type { BrokerSession } from '#ports/broker.ts';
import { INSTRUMENTS } from '#tests/broker/fixed-prices.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import { toQuantity } from '#units/quantity.ts';
import { registerConsumer } from './consumer-keys.ts';
import { javaBytes } from './stand-in/oauth.ts';
import { SecondBroker } from './stand-in/second-broker.ts';
import { dayEndAfter } from './stand-in/trading-days.ts';

const ACCOUNT = 'DU7001' as BrokerAccountId;
const CALLBACK = 'http://127.0.0.1:9/back?state=s';

const folder = mkdtempSync(path.join(tmpdir(), 'second-broker-'));
const { consumer, variables } = registerConsumer(folder);
const market = { now: Date.parse('2026-01-12T16:00:00Z'), price: 100 };
const broker = new SecondBroker({
  world: {
    clock: async () => ({ now: new Date(market.now).toISOString() }),
    instruments: async () => INSTRUMENTS,
    prices: async (symbols) =>
      new Map(
        symbols.map((symbol) => {
          const { price } = market;
          return [symbol, { last: price, bid: price - 0.01, ask: price + 0.01, open: true }];
        }),
      ),
  },
  consumer,
  seed: 3,
  habits: { lostAnswers: 0, forbiddenQuestions: 0 },
  people: { ada: 'pass' },
});
let session: BrokerSession;

beforeAll(async () => {
  const address = await broker.listen();
  broker.books.open('ada', ACCOUNT, 1_000_000, { SPY: 40 });
  broker.books.open('ada', 'DU7002', 5_000);
  const adapter = interactiveBrokers({
    baseUrl: `${address}/v1/api`,
    authorizeUrl: `${address}/sso/authorize`,
    consumerKey: consumer.key,
    realm: consumer.realm,
    signaturePrivateKeyPem: readFileSync(variables.IBKR_SIGNATURE_KEY_FILE ?? '', 'utf8'),
    encryptionPrivateKeyPem: readFileSync(variables.IBKR_ENCRYPTION_KEY_FILE ?? '', 'utf8'),
    dhPrimeHex: consumer.primeHex,
    findInstrument: (symbol) => INSTRUMENTS.find((known) => known.symbol === symbol) ?? null,
    rateLimits: NO_RATE_LIMITS,
    websocketUrl: null,
    sleep: async () => undefined,
  });
  const begun = await adapter.beginAuthorization({ callbackUrl: CALLBACK });
  if (begun.outcome !== 'ok') throw new Error(begun.reason);
  const verifier = await approve(begun.value.authorizeUrl);
  const granted = await adapter.completeAuthorization({
    requestToken: begun.value.requestToken,
    verifier,
  });
  if (granted.outcome !== 'ok') throw new Error(granted.reason);
  const opened = await adapter.openSession(granted.value.credentials);
  if (opened.outcome !== 'ok') throw new Error(opened.reason);
  session = opened.value;
  const accounts = await session.accounts();
  if (accounts.outcome !== 'ok') throw new Error(accounts.reason);
  expect(accounts.value.map(({ accountId }) => accountId)).toEqual([ACCOUNT, 'DU7002']);
});
afterAll(async () => {
  await broker.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Through the pages; the callback is not opened, its verifier is read from its address. */
async function approve(authorizeUrl: string): Promise<string> {
  const page = new URL(authorizeUrl);
  const post = (action: string, fields: Record<string, string>) =>
    fetch(new URL(action, page), { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const token = page.searchParams.get('oauth_token') ?? '';
  const wrong = await post('/sso/login', { t: token, b: CALLBACK, user: 'ada', pass: 'wrong' });
  expect(wrong.status).toBe(401);
  const second = await post('/sso/login', { t: token, b: CALLBACK, user: 'ada', pass: 'pass' });
  const [, visit = ''] = /name=visit value="(\w+)"/.exec(await second.text()) ?? [];
  const back = await post('/sso/consent', { visit, agree: '1' });
  return new URL(back.headers.get('location') ?? '').searchParams.get('oauth_verifier') ?? '';
}

function order(id: string, fields: Partial<ApprovedOrder> = {}): ApprovedOrder {
  return {
    clientOrderId: id as ClientOrderId,
    symbol: 'SPY' as Symbol,
    side: 'buy',
    quantity: toQuantity(10),
    limitPrice: 101,
    referencePrice: 100,
    purpose: 'rebalance',
    ...fields,
  } as ApprovedOrder;
}

const listed = async () => {
  const orders = await session.orders(ACCOUNT);
  if (orders.outcome === 'failed') throw new Error(orders.reason);
  return orders.value;
};

describe('its habits, seen through the adapter', () => {
  test('it takes an order after its questions, lists it from the second list on, and fills it at its own prices', async () => {
    const sent = await session.submitOrder(ACCOUNT, order('one'));
    expect(sent).toMatchObject({ outcome: 'accepted' });
    expect(broker.books.working(ACCOUNT)).toMatchObject([{ clientId: 'one', units: 10 }]);
    market.now += 60_000;
    await broker.catchUp();
    expect(broker.books.held(ACCOUNT, 'SPY')).toBeGreaterThan(40);
    market.now += 60_000;
    await broker.catchUp();
    expect(broker.books.held(ACCOUNT, 'SPY')).toBe(50);
    const spent = broker.books.executions.reduce(
      (sum, { units, price, commission }) => sum + units * price + commission,
      0,
    );
    expect(broker.books.account(ACCOUNT).cash).toBe(Math.round(1e12 - spent * 1e6));
  });

  test('orders of an earlier session are in no list, not found by id, and cannot be cancelled', async () => {
    const sent = await session.submitStop?.(ACCOUNT, order('stop', { side: 'sell' }), 90);
    if (sent?.outcome !== 'accepted') throw new Error(JSON.stringify(sent));
    broker.endSessions();
    await session.orders(ACCOUNT);
    expect((await listed()).some(({ clientOrderId }) => clientOrderId === 'stop')).toBe(false);
    expect(await session.cancelOrder(ACCOUNT, sent.brokerOrderId)).toMatchObject({ outcome: 'refused' });
    expect(broker.books.working(ACCOUNT).map(({ clientId }) => clientId)).toEqual(['stop']);
  });

  test('a second order under the same client id is taken, and told as a finding', async () => {
    await session.submitOrder(ACCOUNT, order('twice', { limitPrice: 50 }));
    await session.submitOrder(ACCOUNT, order('twice', { limitPrice: 50 }));
    expect(broker.books.findings).toEqual(['client order id twice: twice']);
    broker.books.findings.length = 0;
  });

  test('stops that close more than is held are told as a finding', async () => {
    await session.submitStop?.(ACCOUNT, order('large', { side: 'sell', quantity: toQuantity(45) }), 90);
    expect(broker.books.findings).toEqual([expect.stringContaining('they close 55 SPY of 50 held')]);
    broker.books.findings.length = 0;
  });

  test('a day order ends with its day', async () => {
    const end = dayEndAfter('STK', market.now);
    expect(new Date(end).toISOString()).toBe('2026-01-12T21:00:00.000Z');
    market.now = end + 1;
    await broker.catchUp();
    const states = broker.books.orders.map(({ clientId, state }) => `${clientId} ${state}`);
    expect(states).toEqual(['one filled', 'stop expired', 'twice expired', 'twice expired', 'large expired']);
  });

  test('when the keys of the day end, a new one is agreed', async () => {
    const before = broker.permissions.grants[0]?.exchanges ?? 0;
    broker.endDayKeys();
    await session.keepAlive();
    expect(await session.cash(ACCOUNT)).toMatchObject({ outcome: 'ok', value: { currency: 'USD' } });
    expect(broker.permissions.grants).toMatchObject([{ exchanges: before + 1 }]);
  });

  test('after a 429 every request is counted until the penalty is over', async () => {
    broker.penalise();
    expect(await session.cash(ACCOUNT)).toMatchObject({ outcome: 'failed', code: 'rate_limited' });
    await session.cash(ACCOUNT);
    expect(broker.requestsInPenalty).toBe(1);
  });
});

test('a trading day ends at the exchange’s hour, summer and winter, and not on holidays', () => {
  const ends = (type: 'STK' | 'CASH' | 'CRYPTO', at: string) =>
    new Date(dayEndAfter(type, Date.parse(at))).toISOString().slice(0, 16);
  expect(ends('STK', '2026-01-16T22:00:00Z')).toBe('2026-01-20T21:00');
  expect(ends('STK', '2026-07-01T12:00:00Z')).toBe('2026-07-01T20:00');
  expect(ends('STK', '2026-11-27T12:00:00Z')).toBe('2026-11-27T18:00');
  expect(ends('CASH', '2026-01-10T12:00:00Z')).toBe('2026-01-12T22:00');
  expect(ends('CRYPTO', '2026-01-10T12:00:00Z')).toBe('2026-01-11T00:00');
});

test('bytes of a shared key are those of Java', () => {
  const hex = (text: string) => javaBytes(Buffer.from(text, 'hex')).toString('hex');
  expect([hex('7f'), hex('ff'), hex('00007f'), hex('0000ff')]).toEqual(['7f', '00ff', '7f', '00ff']);
});
