import { beforeEach, describe, expect, test } from 'vitest';
import type { BrokerNews, BrokerSession } from '#ports/broker.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { NOW, tradingFloor } from '#tests/support/trading-floor.ts';
import { type ConnectionPool, createConnectionPool } from '#trader/connections/connection-pool.ts';
import type { TradingContext } from '#trader/trading-context.ts';
import { HOUR_MS } from '#units/instant.ts';
import { wallInstant } from '#units/wall-instant.ts';

// Where the stream is heard without a break, the lists are read for what it may have lost, and at once when it breaks.
describe('an account whose stream is heard', async () => {
  const handle = await testDatabase();
  const floor = await tradingFloor(handle);

  let now: number;
  let marketNow: number;
  let looks: number;
  let kept: number;
  let stretch: number | null;
  let connections: ConnectionPool;
  let context: TradingContext;
  let tell: (news: BrokerNews) => void;

  beforeEach(async () => {
    [now, marketNow, looks, kept, stretch] = [1_000_000, NOW, 0, 0, 1];
    const person = await floor.person();
    await floor.deploy(person);
    const { session } = floor.connect(person);
    const listening = {
      ...session,
      orders: async () => {
        looks += 1;
        return { outcome: 'ok', value: [], unread: [] };
      },
      keepAlive: async () => {
        kept += 1;
        return { outcome: 'ok', value: { status: 'connected', detail: '' } };
      },
      close: async () => undefined,
      onNews(listener: (news: BrokerNews) => void) {
        tell = listener;
        return () => undefined;
      },
      streamStretch: () => stretch,
    } as unknown as BrokerSession;
    const broker = {
      vendor: 'scripted',
      openSession: async () => ({ outcome: 'ok', value: listening }),
      resetAt: () => null,
      keepsMarketTime: true,
      limits: { executionHistoryDays: 7, listLagMs: 900_000, listsEveryMs: 5_000 },
    };
    context = {
      ...floor.context,
      lease: floor.context.lease,
      realNow: () => wallInstant(now),
      openCredentials: () => ({}),
      brokers: [broker],
    } as unknown as TradingContext;
    // Each test its own account: the others' connections are due as well, and share the count.
    await handle.pool.query(`update broker_connections set status = 'revoked' where id <> $1`, [
      person.connection,
    ]);
    connections = createConnectionPool();
    await tick();
    expect(looks).toBe(1);
  });

  const tick = () =>
    connections.reconcile(
      {
        ...context,
        now: marketNow,
        atPresent: async () => ({ ...context, now: marketNow }),
      } as TradingContext,
      Number.POSITIVE_INFINITY,
    );
  /** Looks made by then, ticking every second. */
  const looksAfter = async (seconds: number): Promise<number> => {
    for (let second = 0; second < seconds; second++) {
      now += 1_000;
      await tick();
    }
    return looks;
  };

  test('is read again after minutes, and its session is kept alive meanwhile', async () => {
    expect(await looksAfter(299)).toBe(1);
    expect(kept).toBe(2);
    expect(await looksAfter(1)).toBe(2);
  });

  test('is read at once when the stream is lost, and as often as without one until a look was made beside it', async () => {
    await looksAfter(60);
    stretch = null;
    expect(await looksAfter(1)).toBe(2);
    expect(await looksAfter(29)).toBe(2);
    // It is back: what it did not tell meanwhile is read first.
    stretch = 2;
    expect(await looksAfter(1)).toBe(3);
    expect(await looksAfter(200)).toBe(3);
  });

  test('is read soon after a frame about its orders', async () => {
    await looksAfter(60);
    tell({ kind: 'orders', accountId: null });
    expect(await looksAfter(1)).toBe(2);
  });

  test('is read as often as without a stream while the cash of the last session is not stated', async () => {
    await looksAfter(60);
    marketNow += 8 * HOUR_MS;
    await looksAfter(1);
    expect(looks).toBe(2);
  });
});
