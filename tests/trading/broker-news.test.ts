// What a frame of the broker's stream brings about: one look sooner than the next, and nothing else.
import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { NOW, tradingFloor } from '../support/trading-floor.ts';
import type { BrokerExecution, BrokerNews, BrokerSession } from '#ports/broker.ts';
import type { BrokerAccountId, ExecutionId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { type ConnectionPool, createConnectionPool } from '#trader/connections/connection-pool.ts';
import type { TradingContext } from '#trader/trading-context.ts';

const handle = await testDatabase();
const floor = await tradingFloor(handle);
const person = await floor.person();
await floor.deploy(person);
const accountId = person.account as BrokerAccountId;

const ORDERS: BrokerNews = { kind: 'orders', accountId };
const execution = (id: string): BrokerExecution => ({
  executionId: id as ExecutionId,
  clientOrderId: null,
  brokerOrderId: '77',
  symbol: 'AAA' as Symbol,
  brokerInstrumentId: '1',
  side: 'buy',
  quantity: toQuantity(3),
  price: 100,
  commission: toMicro(1),
  at: NOW,
});

let now: number;
let looks: number;
let listeners: Set<(news: BrokerNews) => void>;
let fails: boolean;
/** What happens while the lists are asked for. */
let meanwhile: () => void;
let connections: ConnectionPool;
let context: TradingContext;

beforeEach(async () => {
  now = 1_000_000;
  looks = 0;
  listeners = new Set();
  fails = false;
  meanwhile = () => undefined;
  floor.reported.executions = [];
  const { session } = floor.connect(person);
  const listening = {
    ...session,
    orders: async (account: BrokerAccountId) => {
      looks += 1;
      meanwhile();
      if (fails) return { outcome: 'failed', code: 'unreachable', reason: 'silence' };
      return session.orders(account);
    },
    keepAlive: async () => ({ outcome: 'ok', value: { status: 'connected', detail: '' } }),
    sessionState: () => ({ status: fails ? 'lost' : 'connected', detail: '' }),
    close: async () => undefined,
    onNews(listener: (news: BrokerNews) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as BrokerSession;
  context = {
    ...floor.context,
    realNow: () => now as Instant,
    openCredentials: () => ({}),
    broker: {
      openSession: async () => ({ outcome: 'ok', value: listening }),
      resetAt: () => null,
      limits: { executionHistoryDays: 7, listLagMs: 900_000 },
    },
  } as unknown as TradingContext;
  connections = createConnectionPool();
  await tick();
});

const tick = () => connections.reconcile(context, Number.POSITIVE_INFINITY);
const tell = (news: BrokerNews) => {
  for (const listener of listeners) listener(news);
};
const booked = async () =>
  (
    await handle.pool.query<{ id: string }>('select execution_id as id from suspense_entries order by 1')
  ).rows.map(({ id }) => id);

test('an execution is in the books without waiting for the next look, read from the list and not from the frame', async () => {
  now += 6_000;
  await tick();
  expect(looks).toBe(1);
  floor.reported.executions = [execution('e1')];
  // The frame tells of something else than the list: the list is what counts.
  tell({ kind: 'execution', accountId, execution: execution('only in the frame') });
  await tick();
  expect(looks).toBe(2);
  expect(await booked()).toEqual(['e1']);
});

test('a flood of frames brings one look in the time in which the lists may be asked for once', async () => {
  const from = now;
  for (let step = 0; step < 100; step++) {
    now += 300;
    for (let frame = 0; frame < 50; frame++) tell(ORDERS);
    await tick();
  }
  expect(looks - 1).toBeLessThanOrEqual(Math.ceil((now - from) / 5_000));
  expect(looks - 1).toBeGreaterThanOrEqual(5);
});

test('frames that are lost or told twice change nothing that is booked', async () => {
  floor.reported.executions = [execution('twice')];
  now += 6_000;
  tell(ORDERS);
  tell(ORDERS);
  await tick();
  now += 6_000;
  tell(ORDERS);
  await tick();
  expect(await booked()).toEqual(['e1', 'twice']);
  floor.reported.executions = [execution('twice'), execution('lost')];
  now += 30_000;
  await tick();
  expect(await booked()).toEqual(['e1', 'lost', 'twice']);
});

test('what is told while a look is under way is looked at again', async () => {
  now += 6_000;
  tell(ORDERS);
  meanwhile = () => tell(ORDERS);
  await tick();
  meanwhile = () => undefined;
  now += 6_000;
  await tick();
  expect(looks).toBe(3);
  now += 6_000;
  await tick();
  expect(looks).toBe(3);
});

test('a price is no news for the books', async () => {
  now += 6_000;
  const quote = { symbol: 'AAA' as Symbol, last: 1, bid: 1, ask: 1, status: 'live' } as const;
  tell({ kind: 'quote', quote });
  await tick();
  expect(looks).toBe(1);
});

test('a worker that pauses after a failure is not woken, and one that is left is listened to no more', async () => {
  now += 31_000;
  fails = true;
  await tick();
  expect(looks).toBe(2);
  expect(listeners.size).toBe(0);
  now += 1_000;
  tell(ORDERS);
  await tick();
  expect(looks).toBe(2);
  fails = false;
  now += 31_000;
  await tick();
  expect(listeners.size).toBe(1);
  connections.keepOnly([]);
  expect(listeners.size).toBe(0);
});
