// The adviser's mode of the Interactive Brokers adapter against the sandbox brokerage, which checks every signature.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AdviserConfig, NO_RATE_LIMITS } from '#adapters/broker/interactive-brokers/config.ts';
import { interactiveBrokersAdviser } from '#adapters/broker/interactive-brokers/interactive-brokers.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import { adviserFiles, prepareAdviser } from '#sandbox/interactive-brokers/sign-in/adviser.ts';
import { nextSession } from '#engine/market/calendar.ts';
import { prepareConsumer } from '#sandbox/interactive-brokers/sign-in/consumer.ts';
import { createBrokerage, type InProcessBrokerage } from '#tests/support/in-process-brokerage.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { inCatalogue } from './in-catalogue.ts';
import { SATURDAY, fixedPrices } from './fixed-prices.ts';

let folder: string;
let brokerage: InProcessBrokerage;
let realAt: number;
let at: Instant;
let accounts: BrokerAccountId[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'adviser-'));
  realAt = Date.parse('2026-02-01T00:00:00Z');
  at = SATURDAY;
  brokerage = await createBrokerage({
    file: ':memory:',
    consumer: prepareConsumer(folder),
    adviser: prepareAdviser(folder),
    prices: fixedPrices(),
    now: () => at,
    realNow: () => realAt,
  });
  accounts = ['ada', 'bob'].map((name) => {
    const opened = brokerage.people.open(name, 'practice-8');
    if (typeof opened === 'string') throw new Error(opened);
    return opened.accountId as BrokerAccountId;
  });
});
afterEach(() => {
  brokerage.close();
  rmSync(folder, { recursive: true });
});

function configured(changes: Partial<AdviserConfig> = {}) {
  const files = adviserFiles(folder);
  const saved = JSON.parse(readFileSync(files.json, 'utf8')) as Record<string, string>;
  const instruments = fixedPrices().instruments;
  return interactiveBrokersAdviser({
    baseUrl: 'http://brokerage.test/v1/api',
    tokenUrl: 'http://brokerage.test/oauth2/api/v1/token',
    sessionUrl: 'http://brokerage.test/gw/api/v1/sso-sessions',
    clientId: saved.client_id ?? '',
    keyId: saved.key_id ?? '',
    credential: saved.credential ?? '',
    privateKeyPem: readFileSync(files.privatePem, 'utf8'),
    ip: '127.0.0.1',
    findInstrument: (symbol) => instruments.find((known) => known.symbol === symbol) ?? null,
    rateLimits: NO_RATE_LIMITS,
    now: () => realAt,
    fetch: brokerage.fetch,
    sleep: () => Promise.resolve(),
    ...changes,
  });
}

const order = (id: string) =>
  ({
    symbol: 'SPY' as Symbol,
    side: 'buy',
    quantity: toQuantity(1),
    limitPrice: 103,
    purpose: 'rebalance',
    clientOrderId: id as ClientOrderId,
  }) as never;

it('trades for all clients over one session, and keeps their orders apart', async () => {
  const [ada, bob] = accounts;
  if (!ada || !bob) throw new Error('no accounts');
  const session = ok(await configured().openSession({}));
  expect(ok(await session.accounts()).map(({ accountId }) => accountId)).toEqual(
    expect.arrayContaining(accounts),
  );
  expect((await session.submitOrder(ada, order('a'))).outcome).toBe('accepted');
  expect((await session.submitOrder(bob, order('b'))).outcome).toBe('accepted');
  expect(inCatalogue(ok(await session.orders(ada))).map(({ clientOrderId }) => clientOrderId)).toEqual(['a']);
  expect(inCatalogue(ok(await session.orders(bob))).map(({ clientOrderId }) => clientOrderId)).toEqual(['b']);
  expect(inCatalogue(ok(await session.executions(bob, 0 as Instant)))).toEqual([]);
  expect(session.sessionState().status).toBe('connected');
});

it('shares one session between all connections, which ends with the last connection', async () => {
  const [ada, bob] = accounts;
  if (!ada || !bob) throw new Error('no accounts');
  const broker = configured();
  const first = ok(await broker.openSession({}));
  const second = ok(await broker.openSession({}));
  ok(await second.orders(bob));
  await first.close();
  await first.close();
  expect(first.sessionState().status).toBe('closed');
  expect(second.sessionState().status).toBe('connected');
  expect((await second.submitOrder(bob, order('b'))).outcome).toBe('accepted');
  await second.close();
  expect((await second.orders(bob)).outcome).toBe('failed');
  const next = ok(await broker.openSession({}));
  expect(ok(await next.keepAlive()).status).toBe('connected');
});

it('never returns the executions of the selected account for those of the requested one', async () => {
  const [ada, bob] = accounts;
  if (!ada || !bob) throw new Error('no accounts');
  const session = ok(await configured().openSession({}));
  expect((await session.submitOrder(ada, order('a'))).outcome).toBe('accepted');
  expect((await session.submitOrder(bob, order('b'))).outcome).toBe('accepted');
  at = (nextSession('us-equity', at).opensAt + MINUTE_MS) as Instant;
  // Many requests run at once, and in between the session ends and restarts with another account selected.
  for (let round = 0; round < 10; round++) {
    const reported = Promise.all(
      [ada, bob, ada, bob, bob, ada].map(async (account) => {
        const list = ok(await session.executions(account, 0 as Instant));
        return [account, inCatalogue(list).map(({ clientOrderId }) => clientOrderId)] as const;
      }),
    );
    if (round % 2 === 0) brokerage.sessions.endTrading();
    for (const [account, ids] of await reported) expect(ids).toEqual([account === ada ? 'a' : 'b']);
  }
});

it('renews its tokens before they end', async () => {
  const session = ok(await configured().openSession({}));
  ok(await session.accounts());
  realAt += 2 * 86_400_000;
  ok(await session.accounts());
});

const refusals: readonly [string, () => Partial<AdviserConfig>][] = [
  ['a key that is not the registered one', () => ({ privateKeyPem: newKey() })],
  ['another client id', () => ({ clientId: 'SOMEBODY' })],
  ['an unknown key id', () => ({ keyId: 'other' })],
  ['an unknown user name', () => ({ credential: 'somebody' })],
  ['an address that is not the one it sends from', () => ({ ip: '203.0.113.9' })],
  ['a clock that is an hour late', () => ({ now: () => realAt - 3_600_000 })],
];
for (const [what, changes] of refusals)
  it(`is refused with ${what}`, async () => {
    const answer = await configured(changes()).openSession({});
    expect(answer).toMatchObject({ outcome: 'failed', code: 'unauthorized' });
  });

it('starts no personal sign-in, and says why', async () => {
  const answer = await configured().beginAuthorization({ callbackUrl: 'http://127.0.0.1/back' });
  expect(answer).toMatchObject({
    outcome: 'failed',
    code: 'refused',
    reason: expect.stringContaining('linked'),
  });
});

function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function ok<Value>(answer: BrokerAnswer<Value>): Value {
  if (answer.outcome === 'failed') throw new Error(`${answer.code}: ${answer.reason}`);
  return answer.value;
}
