// Executions that the broker's stream reports while its lists may not be read yet.
import { beforeEach, describe, expect, test } from 'vitest';
import type {
  BrokerExecution,
  BrokerNews,
  BrokerOrder,
  BrokerPosition,
  BrokerSession,
} from '#ports/broker.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { markSent, NOW, type PlacedOrder, tradingFloor } from '#tests/support/trading-floor.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import { type ConnectionPool, createConnectionPool } from '#trader/connections/connection-pool.ts';
import type { TradingContext } from '#trader/trading-context.ts';
import type { BrokerAccountId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { fromQuantity, toQuantity } from '#units/quantity.ts';
import { wallInstant } from '#units/wall-instant.ts';

const EVERY_MS = 5_000;

describe('an execution on the stream, between two looks', async () => {
  const handle = await testDatabase();
  const floor = await tradingFloor(handle);

  let now: number;
  let looks: number;
  let listeners: Set<(news: BrokerNews) => void>;
  let held: number;
  let positionsRead: number;
  let isSilent: boolean;
  let connections: ConnectionPool;
  let context: TradingContext;
  let person: TradingPerson;
  let placed: PlacedOrder;

  /** One order for 10 AAA is at the broker, and the lists were read a moment ago. */
  beforeEach(async () => {
    now = 1_000_000;
    looks = 0;
    held = 0;
    positionsRead = 0;
    isSilent = false;
    listeners = new Set();
    floor.reported.executions = [];
    person = await floor.person();
    [placed] = (await floor.order(person, [await floor.deploy(person)])) as [PlacedOrder];
    await markSent(handle, [placed]);
    floor.reported.orders = [working()];
    const { session } = floor.connect(person);
    const listening = {
      ...session,
      orders: async (account: BrokerAccountId) => {
        if (account === person.account) looks += 1;
        if (isSilent) return { outcome: 'failed', code: 'unreachable', reason: 'silence' };
        return session.orders(account);
      },
      positions: async (account: BrokerAccountId) => {
        if (account === person.account) positionsRead += 1;
        return { outcome: 'ok', value: held === 0 ? [] : [position()], unread: [] };
      },
      keepAlive: async () => ({ outcome: 'ok', value: { status: 'connected', detail: '' } }),
      close: async () => undefined,
      onNews(listener: (news: BrokerNews) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    } as unknown as BrokerSession;
    const limits = { executionHistoryDays: 7, listLagMs: 900_000, listsEveryMs: EVERY_MS };
    context = {
      ...floor.context,
      realNow: () => wallInstant(now),
      openCredentials: () => ({}),
      brokers: [
        {
          vendor: 'scripted',
          openSession: async () => ({ outcome: 'ok', value: listening }),
          resetAt: () => null,
          keepsMarketTime: true,
          limits,
        },
      ],
    } as unknown as TradingContext;
    connections = createConnectionPool();
    await connections.reconcile(context, Number.POSITIVE_INFINITY);
    expect(looks).toBe(1);
    now += 1_000;
  });

  const position = () =>
    ({
      symbol: 'AAA',
      brokerInstrumentId: '1',
      quantity: toQuantity(held),
      averagePrice: 100,
    }) as unknown as BrokerPosition;
  const working = (): BrokerOrder =>
    ({
      brokerOrderId: '77',
      clientOrderId: placed.order.clientOrderId,
      symbol: 'AAA' as Symbol,
      brokerInstrumentId: '1',
      description: 'AAA',
      side: 'buy',
      quantity: placed.order.quantity,
      filled: toQuantity(0),
      limitPrice: placed.order.limitPrice,
      status: 'working',
      note: '',
    }) as unknown as BrokerOrder;
  const execution = (more: Partial<BrokerExecution> = {}): BrokerExecution => ({
    executionId: `${person.account}-e1` as ExecutionId,
    clientOrderId: placed.order.clientOrderId,
    brokerOrderId: '77',
    symbol: 'AAA' as Symbol,
    brokerInstrumentId: '1',
    side: 'buy',
    quantity: placed.order.quantity,
    price: 100,
    commission: toMicro(1),
    at: NOW,
    ...more,
  });
  const tell = (one: BrokerExecution, accountId = person.account) => {
    for (const listener of listeners)
      listener({ kind: 'execution', accountId: accountId as BrokerAccountId, execution: one });
  };
  const act = () => connections.act(context, Number.POSITIVE_INFINITY);
  const rows = async (query: string) => (await handle.pool.query(query, [person.connection])).rows;
  const fills = () =>
    rows(`select f.quantity::float as units from fills f join orders o on o.id = f.order_id
      where o.broker_connection_id = $1`);
  const received = () =>
    rows(`select closed_at is not null as is_closed, hold_code from broker_inbox where connection_id = $1
      order by execution_id`);
  const status = async () =>
    (await rows('select status from orders where broker_connection_id = $1')).map((row) => row.status);

  test('of our own order is booked at the next turn, without a look, once, however often it is reported', async () => {
    held = fromQuantity(placed.order.quantity);
    tell(execution());
    tell(execution());
    await act();
    tell(execution());
    await act();
    expect([await fills(), await status(), looks]).toEqual([[{ units: held }], ['filled'], 1]);
    floor.reported.executions = [execution()];
    now += EVERY_MS;
    await connections.reconcile(context, Number.POSITIVE_INFINITY);
    expect([await fills(), looks]).toEqual([[{ units: held }], 2]);
  });

  test.each([
    ['names none of our orders', { clientOrderId: null }],
    ['fills more than was ordered', { quantity: toQuantity(1_000) }],
    ['is on the other side', { side: 'sell' }],
    ['has no price', { price: 0 }],
  ] as const)('waits for the lists when it %s', async (_, more) => {
    tell(execution(more));
    await act();
    expect([await fills(), await status(), looks]).toEqual([[], ['working'], 1]);
  });

  test('is booked once when the trader died between the fill and the note that it is booked', async () => {
    held = fromQuantity(placed.order.quantity);
    tell(execution());
    await act();
    await handle.pool.query('update broker_inbox set closed_at = null where account_id = $1', [
      person.account,
    ]);
    floor.reported.executions = [execution()];
    now += EVERY_MS;
    await connections.reconcile(context, Number.POSITIVE_INFINITY);
    expect(await fills()).toEqual([{ units: held }]);
    expect(await received()).toEqual([{ is_closed: true, hold_code: null }]);
  });

  test('that corrects a booked one waits for the lists, and is held there for a person', async () => {
    const [stem, part] = ['0000e0d5.6478d2b1.01.', toQuantity(4)];
    const revised = (revision: string, more: Partial<BrokerExecution> = {}) =>
      execution({
        executionId: `${stem}${revision}` as ExecutionId,
        revisionStem: stem,
        quantity: part,
        ...more,
      });
    held = 4;
    tell(revised('01'));
    await act();
    tell(revised('02', { price: 101 }));
    await act();
    expect([await fills(), (await received()).length]).toEqual([[{ units: 4 }], 1]);
    floor.reported.executions = [revised('02', { price: 101 })];
    now += EVERY_MS;
    await connections.reconcile(context, Number.POSITIVE_INFINITY);
    expect([await fills(), await received()]).toEqual([
      [{ units: 4 }],
      [
        { is_closed: true, hold_code: null },
        { is_closed: false, hold_code: 'revises_booked' },
      ],
    ]);
  });

  test('makes no difference for staff where the positions lag behind one fill, and then behind the next', async () => {
    await handle.pool.query(
      `insert into processed_sessions (calendar, shard, date)
      select i.calendar, shard_of($1), '2026-03-01' from instruments i where i.symbol = 'AAA' on conflict do nothing`,
      [person.connection],
    );
    const [other] = (await floor.order(person, [await floor.deploy(person)])) as [PlacedOrder];
    await markSent(handle, [other]);
    tell(execution());
    await act();
    held = 10;
    const { clientOrderId } = other.order;
    tell(
      execution({ executionId: `${person.account}-e2` as ExecutionId, clientOrderId, brokerOrderId: '78' }),
    );
    await act();
    expect([await status(), looks]).toEqual([['filled', 'filled'], 1]);
    const breaks = 'select symbol from reconciliation_breaks where account_id = $1';
    expect((await handle.pool.query(breaks, [person.account])).rows).toEqual([]);
  });

  test('is followed by a look that compares the positions, although it books nothing', async () => {
    held = 10;
    tell(execution());
    await act();
    const read = positionsRead;
    now += EVERY_MS;
    await connections.reconcile(context, Number.POSITIVE_INFINITY);
    expect([looks, positionsRead]).toEqual([2, read + 1]);
  });

  test('waits for the lists when it is of another account', async () => {
    tell(execution(), 'DU999');
    await act();
    expect(await fills()).toEqual([]);
  });

  test('waits for the lists after a gap: a later fill must not hide an earlier one from them', async () => {
    isSilent = true;
    now += 31_000;
    await connections.reconcile(context, Number.POSITIVE_INFINITY);
    expect(looks).toBe(2);
    tell(execution());
    now += EVERY_MS;
    await act();
    expect([await fills(), looks]).toEqual([[], 3]);
    isSilent = false;
    now += EVERY_MS;
    floor.reported.executions = [execution()];
    await act();
    expect([await fills(), await status()]).toEqual([[{ units: 10 }], ['filled']]);
  });
});
