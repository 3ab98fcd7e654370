import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import { tradingFloor } from '../../../tests/support/trading-floor.ts';
import type { BrokerSession } from '#ports/broker.ts';
import type { Instant } from '#units/instant.ts';
import { createConnectionPool } from './connection-pool.ts';
import type { TradingContext } from '../trading-context.ts';

const floor = await tradingFloor(await testDatabase());
await floor.deploy(await floor.person());

/** How often a session is opened while each look fails and the session calls itself this. */
async function openedWhile(
  status: ReturnType<BrokerSession['sessionState']>['status'],
  looks: number,
  everyMs = 10 * 60_000,
): Promise<number> {
  let opened = 0;
  let now = 1_000_000;
  const fails = async () => ({ outcome: 'failed', code: 'no_session', reason: 'it is elsewhere' });
  const session = {
    orders: fails,
    executions: fails,
    positions: fails,
    keepAlive: fails,
    sessionState: () => ({ status, detail: '' }),
    close: async () => undefined,
  };
  const context = {
    ...floor.context,
    realNow: () => now as Instant,
    openCredentials: () => ({}),
    broker: {
      openSession: async () => {
        opened += 1;
        return { outcome: 'ok', value: session };
      },
      resetAt: () => null,
      limits: { executionHistoryDays: 7, listLagMs: 900_000 },
    },
  } as unknown as TradingContext;
  const connections = createConnectionPool();
  for (let look = 0; look < looks; look++) {
    await connections.reconcile(context, Number.POSITIVE_INFINITY);
    now += everyMs;
  }
  await connections.close();
  return opened;
}

test('a session that yielded to another program is kept and asked again: a new one would take it back', async () => {
  expect(await openedWhile('competing', 6)).toBe(1);
});

test('a permission that covers reading alone is asked about anew, and seldom', async () => {
  expect(await openedWhile('read_only', 4)).toBe(4);
  expect(await openedWhile('read_only', 6, 10_000)).toBe(2);
});

test('a session that is gone is opened anew at each look', async () => {
  expect(await openedWhile('lost', 4)).toBe(4);
});
