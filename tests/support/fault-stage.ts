// A scripted venue whose answers go wrong, and people who hold nothing when a test begins: after a close, AAA at 100 and
// BBB at 40.
import { afterAll, beforeEach, expect } from 'vitest';
import { requestStatusOfAll } from './deployment-commands.ts';
import { testDatabase } from './test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from './trading-world.ts';

export async function faultStage() {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue } = world;
  const version = await world.addStrategy(BOTH_ABOVE_30);
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const statuses = async (id: string) =>
    (
      await rows(`select symbol, status from orders where deployment_id = $1 order by symbol, decided_at`, id)
    ).map((row) => `${row.symbol} ${row.status}`);
  const submittedOnce = () => expect(new Set(venue.submissions).size).toBe(venue.submissions.length);
  const runTicks = () => {
    world.wait(60_000);
    return world.trader.tick();
  };

  beforeEach(async () => {
    await requestStatusOfAll(handle.pool, ['pending', 'active', 'paused', 'frozen'], 'stopped');
    for (let i = 0; i < 3; i++) {
      market.openDay();
      await runTicks();
    }
    expect(
      await rows(`select id, status from deployments where status not in ('stopped', 'liquidated')`),
    ).toEqual([]);
    market.setPrice('AAA', 100);
    market.setPrice('BBB', 40);
    market.closeDay();
    await runTicks();
  });

  return { handle, world, market, venue, version, rows, statuses, submittedOnce, runTicks };
}
