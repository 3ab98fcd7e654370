import { expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';

test('a connection of a vendor that is not set up is a problem of its own, and all others trade', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue, trader } = world;
  const strategy = await world.addStrategy(BOTH_ABOVE_30);
  await world.deploy(strategy, { account: 'VN1' });
  await world.deploy(strategy, { account: 'VN2' });
  await handle.pool.query(
    `insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position)
     values (gen_random_uuid(), 'gone', 'Gone', '', '', '', '{}', 'available', 2)`,
  );
  await handle.pool.query(
    `update broker_connections set broker_id = (select id from brokers where slug = 'gone') where account_id = 'VN2'`,
  );
  market.closeDay();
  const { problems } = await trader.tick();
  expect(problems.map(({ reason }) => reason)).toContain('no broker of the vendor gone is set up');
  market.openDay();
  await trader.tick();
  await trader.close();
  expect(venue.position('VN1', 'AAA')).toBeGreaterThan(0);
  expect(venue.position('VN2', 'AAA')).toBe(0);
});
