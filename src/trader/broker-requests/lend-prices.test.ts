import { expect, test } from 'vitest';
import type { Broker, BrokerSession } from '#ports/broker.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { SHARDS } from '#records/operations/trading-shards.ts';
import { createConnectionPool } from '../connections/connection-pool.ts';
import { lendPrices } from './lend-prices.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
await world.deploy(await world.addStrategy(BOTH_ABOVE_30));
const shards = Array.from({ length: SHARDS }, (_, shard) => shard);

function opened(outcome: 'ok' | 'failed') {
  let times = 0;
  const session = { marketData: { name: 'the prices' }, close: async () => undefined };
  const openSession: Broker['openSession'] = async () => {
    times += 1;
    return outcome === 'ok'
      ? { outcome, value: session as unknown as BrokerSession }
      : { outcome, code: 'no_session', reason: 'another program holds it' };
  };
  const brokers = [{ vendor: 'interactive-brokers', openSession } as unknown as Broker];
  const opener = { handle, brokers, openCredentials: () => ({}) };
  return { opener, session, times: () => times };
}

await handle.pool.query(`update brokers set slug = 'interactive-brokers' where slug = 'scripted'`);

test('lends the prices of the one session of the connection, however often they are asked for', async () => {
  const { opener, session, times } = opened('ok');
  const pool = createConnectionPool();
  const [first, second] = await Promise.all([
    lendPrices(opener, { shards }, pool),
    lendPrices(opener, { shards }, pool),
  ]);
  expect([first, second]).toEqual([session.marketData, session.marketData]);
  expect(times()).toBe(1);
});

test.each([
  [
    'its session cannot be opened',
    'failed',
    shards,
    `set trades_without_market_data = false, without_market_data_since = null`,
  ],
  [
    'its owner has no market data',
    'ok',
    shards,
    `set trades_without_market_data = true, without_market_data_since = now()`,
  ],
  [
    'another trader has it',
    'ok',
    [],
    `set trades_without_market_data = false, without_market_data_since = null`,
  ],
] as const)('lends nothing while %s', async (_why, outcome, own, change) => {
  await handle.pool.query(`update broker_connections ${change}`);
  expect(await lendPrices(opened(outcome).opener, { shards: own }, createConnectionPool())).toBeNull();
});
