import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { BrokerExecution, BrokerNews, BrokerSession } from '#ports/broker.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { NOW, tradingFloor } from '#tests/support/trading-floor.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { type ConnectionPool, createConnectionPool } from '#trader/connections/connection-pool.ts';
import type { TradingContext } from '#trader/trading-context.ts';
import type { BrokerAccountId, DeploymentId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { wallInstant } from '#units/wall-instant.ts';

// A frame of the broker's stream causes one look earlier than the next scheduled one, and nothing else.
describe('news from the broker', async () => {
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
  /** Runs while the lists are requested. */
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
      realNow: () => wallInstant(now),
      openCredentials: () => ({}),
      brokers: [
        {
          vendor: 'scripted',
          openSession: async () => ({ outcome: 'ok', value: listening }),
          resetAt: () => null,
          keepsMarketTime: true,
          limits: { executionHistoryDays: 7, listLagMs: 900_000 },
        },
      ],
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

  test('an execution is booked before the next scheduled look, from the list and not from the frame', async () => {
    now += 6_000;
    await tick();
    expect(looks).toBe(1);
    floor.reported.executions = [execution('e1')];
    // The frame and the list differ: the list counts.
    tell({ kind: 'execution', accountId, execution: execution('only in the frame') });
    await tick();
    expect(looks).toBe(2);
    expect(await booked()).toEqual(['e1']);
  });

  test('a flood of frames causes one look per interval in which the lists may be requested', async () => {
    const from = now;
    for (let step = 0; step < 100; step++) {
      now += 300;
      for (let frame = 0; frame < 50; frame++) tell(ORDERS);
      await tick();
    }
    expect(looks - 1).toBeLessThanOrEqual(Math.ceil((now - from) / 5_000));
    expect(looks - 1).toBeGreaterThanOrEqual(5);
  });

  test('lost and repeated frames do not change the books', async () => {
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

  test('news during a look causes another look', async () => {
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

  test('a frame does not wake a worker that backs off after a failure, and a closed connection is no longer heard', async () => {
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
});

// Fills that the broker's lists omit for a while, and that only its positions show.
describe('a fill that the lists leave out', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue } = world;
  const version = await world.addStrategy(BOTH_ABOVE_30);
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const ordersOf = async (id: DeploymentId) =>
    (
      await rows(
        `select side, status from orders where deployment_id = $1 and symbol = 'AAA' order by decided_at`,
        id,
      )
    ).map(({ side, status }) => `${side} ${status}`);
  const runTicks = () => {
    world.wait(60_000);
    return world.trader.tick();
  };

  /** Deploys and buys, then decides to sell: the sale waits at the broker for the opening. */
  async function sellTomorrow(
    account: string,
    beforeClose: () => void = () => undefined,
    atClose: () => void = () => undefined,
  ): Promise<DeploymentId> {
    market.setPrice('AAA', 100);
    market.setPrice('BBB', 40);
    market.closeDay();
    const id = await world.deploy(version, { account });
    await runTicks();
    market.openDay();
    await runTicks();
    expect(await ordersOf(id)).toEqual(['buy filled']);
    market.setPrice('AAA', 25);
    beforeClose();
    market.closeDay();
    atClose();
    await runTicks();
    expect(await ordersOf(id)).toEqual(['buy filled', 'sell working']);
    return id;
  }

  function hideLists(hidden: boolean): void {
    venue.hidesOrders = hidden;
    venue.tellsExecutions = hidden ? 0 : 1;
  }

  /** Fills at the next opening what waits, shown by the positions alone; three looks after the close change nothing. */
  async function fillUnseen(
    id: DeploymentId,
    waiting: readonly string[],
    { account, position }: { account: string; position: number },
  ): Promise<void> {
    hideLists(true);
    market.openDay();
    await runTicks();
    expect(venue.position(account, 'AAA')).toBe(position);
    market.closeDay();
    for (let look = 0; look < 3; look++) {
      await runTicks();
      market.advance(20 * 60_000);
    }
    expect(await ordersOf(id)).toEqual(waiting);
    hideLists(false);
    await runTicks();
  }

  test('a sale that only the positions show is not given up as lost, nor sold again', async () => {
    const id = await sellTomorrow('DU1');
    await fillUnseen(id, ['buy filled', 'sell working'], { account: 'DU1', position: 0 });
    expect(await ordersOf(id)).toEqual(['buy filled', 'sell filled']);
    expect(venue.position('DU1', 'AAA')).toBe(0);
    await world.everythingHolds();
  });

  test('a fill that stays unlisted for more than a day is left to a person, and booked when it is listed', async () => {
    const id = await sellTomorrow('DU2');
    hideLists(true);
    for (let day = 0; day < 3; day++) {
      market.openDay();
      await runTicks();
    }
    market.advance(20 * 60_000);
    await runTicks();
    expect(await ordersOf(id)).toEqual(['buy filled', 'sell unknown']);
    expect(
      await rows(
        `select reason_code as code from orders where deployment_id = $1 and status = 'unknown'`,
        id,
      ),
    ).toContainEqual({ code: 'not_listed' });
    hideLists(false);
    await runTicks();
    expect(await ordersOf(id)).toEqual(['buy filled', 'sell filled']);
    expect(venue.position('DU2', 'AAA')).toBe(0);
    await world.everythingHolds();
  });

  test('shares already split at the broker do not count as external on the night of a split', async () => {
    const id = await sellTomorrow(
      'DU3',
      () => {
        const exDate = nextTradingDay('us-equity', utcDate(market.now()));
        market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 0.5 });
      },
      () => {
        market.setPrice('AAA', 50);
        venue.deliver('DU3', 'AAA', -20);
      },
    );
    await fillUnseen(id, ['buy filled', 'sell working'], { account: 'DU3', position: 0 });
    expect(await ordersOf(id)).toEqual(['buy filled', 'sell filled']);
  });

  test('an unlisted purchase of as many units as the owner once held and sold is not external either', async () => {
    market.setPrice('AAA', 25);
    market.setPrice('BBB', 25);
    market.closeDay();
    const id = await world.deploy(version, { account: 'DU4' });
    await runTicks();
    for (const side of ['buy', 'sell'] as const) {
      venue.tradeExternally('DU4', 'AAA', side, 40);
      await runTicks();
    }
    market.setPrice('AAA', 100);
    market.closeDay();
    await runTicks();
    expect(await ordersOf(id)).toEqual(['buy working']);
    await fillUnseen(id, ['buy working'], { account: 'DU4', position: 40e8 });
    expect(await ordersOf(id)).toEqual(['buy filled']);
  });
});

describe('a list that could not be read', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue } = world;
  const version = await world.addStrategy(BOTH_ABOVE_30);
  afterAll(() => world.trader.close());
  const opened = venue.broker.openSession;
  const broker = venue.broker as { openSession: typeof opened };

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const statuses = async (id: string) =>
    (
      await rows(`select symbol, status from orders where deployment_id = $1 order by symbol, decided_at`, id)
    ).map(({ symbol, status }) => `${symbol} ${status}`);
  const runTicks = () => {
    world.wait(60_000);
    return world.trader.tick();
  };

  /** One list fails from now on; everything else answers. */
  async function breakList(which: 'orders' | 'executions' | 'positions'): Promise<void> {
    broker.openSession = async (credentials) => {
      const answer = await opened(credentials);
      if (answer.outcome === 'failed') return answer;
      const failed = { outcome: 'failed', code: 'unreachable', reason: `no ${which}` } as const;
      return { outcome: 'ok', value: { ...answer.value, [which]: async () => failed } };
    };
    await world.restart();
  }
  async function mend(): Promise<void> {
    broker.openSession = opened;
    await world.restart();
  }

  beforeEach(() => {
    market.closeDay();
  });
  afterEach(() => {
    broker.openSession = opened;
  });

  for (const which of ['orders', 'executions', 'positions'] as const) {
    test(`${which} that could not be read do not count as empty: nothing is concluded and nothing is sent`, async () => {
      const id = await world.deploy(version);
      venue.faults.push('lost, accepted');
      venue.hidesOrders = true;
      await runTicks();
      expect(await statuses(id)).toEqual(['AAA unknown', 'BBB working']);
      await breakList(which);
      venue.hidesOrders = false;
      const before = venue.submissions.length;
      const later = await world.deploy(version);
      // The day of the lost order ends, and looks are further apart than the broker lists late.
      for (let i = 0; i < 4; i++) {
        market.advance(20 * 60_000);
        const { problems } = await runTicks();
        expect(problems.map(({ reason }) => reason).join()).toContain(`no ${which}`);
      }
      expect(venue.submissions).toHaveLength(before);
      expect(await statuses(later)).toEqual(['AAA intended', 'BBB intended']);
      await mend();
      await runTicks();
      expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
      expect(new Set(venue.submissions).size).toBe(venue.submissions.length);
    });
  }
});
