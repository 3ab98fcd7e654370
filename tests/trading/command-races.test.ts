import { requestStatus } from '../support/deployment-commands.ts';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { canMove, type DeploymentStatus } from '#engine/lifecycle/status.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};
const holds = async () =>
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);

beforeEach(async () => {
  market.setPrice('AAA', 100);
  market.setPrice('BBB', 40);
  market.closeDay();
  await runTicks();
});

test('settings that change while orders are sized are taken whole: all of one target by the old or all by the new', {
  timeout: 120_000,
}, async () => {
  const seen = new Set<string>();
  for (let trial = 0; trial < 12; trial++) {
    const id = await world.deploy(version, { maxAllocation: 10, stopLoss: 5 });
    const tick = runTicks();
    await turns(trial * 3);
    await rows(
      `update deployments set stop_loss_percentage = 20, max_allocation_percent = 30, revision = revision + 1 where id = $1`,
      id,
    );
    await tick;
    await runTicks();
    const ordered = await rows(
      `select symbol, quantity::float as units from orders where deployment_id = $1 order by symbol`,
      id,
    );
    const sizes = ordered.map(({ symbol, units }) => `${symbol} ${units}`).join(', ');
    // A tenth of 10,000 each at 100 and 40, or three tenths.
    expect(['AAA 10, BBB 25', 'AAA 30, BBB 75']).toContain(sizes);
    seen.add(sizes);
  }
  expect(seen.size).toBeGreaterThan(0);
  await holds();
});

test('a stop, a liquidation, a stop loss and a fill at once close each position once, and never more than is held', {
  timeout: 120_000,
}, async () => {
  for (let trial = 0; trial < 6; trial++) {
    const account = `RACE${trial}`;
    const id = await world.deploy(version, { stopLoss: 10, account });
    await runTicks();
    market.openDay();
    await runTicks();
    // Only parts fill, so that exits and fills of the same order meet.
    venue.fillsAtMost = (15 * 1e8) as never;
    market.setPrice('AAA', 85);
    const tick = runTicks();
    await turns(trial * 5);
    const requested = trial % 2 === 0 ? 'stopped' : 'liquidated';
    await requestStatus(handle.pool, id, requested);
    market.advance(60_000);
    await tick;
    for (let i = 0; i < 8; i++) {
      market.advance(60_000);
      await runTicks();
      for (const symbol of ['AAA', 'BBB']) expect(venue.position(account, symbol)).toBeGreaterThanOrEqual(0);
    }
    venue.fillsAtMost = null;
    const [row] = await rows(
      `select status, cash_micro = equity_micro as flat from deployments where id = $1`,
      id,
    );
    expect({ trial, ...row }).toEqual({ trial, status: requested, flat: true });
    expect(['AAA', 'BBB'].map((symbol) => venue.position(account, symbol))).toEqual([0, 0]);
    const exits = await rows(
      `select symbol, sum(filled_quantity)::float as sold from orders where deployment_id = $1 and side = 'sell'
       group by symbol order by symbol`,
      id,
    );
    expect(exits).toEqual([
      { symbol: 'AAA', sold: 40 },
      { symbol: 'BBB', sold: 100 },
    ]);
    market.setPrice('AAA', 100);
    market.closeDay();
    await runTicks();
  }
  await holds();
});

test('each change of status that the audit log tells of is a move that somebody may make', async () => {
  const moves = await rows(
    `select details::jsonb #>> '{from,status}' as was, details::jsonb #>> '{to,status}' as is_now, actor from audit_log
     where action = 'deployment.changed' and details::jsonb #>> '{to,status}' is not null`,
  );
  expect(moves.length).toBeGreaterThan(10);
  for (const { was, is_now: to } of moves as { was: DeploymentStatus; is_now: DeploymentStatus }[]) {
    const allowed = (['client', 'support', 'trader'] as const).some((by) => canMove({ from: was, to, by }));
    expect({ was, to, allowed }).toEqual({ was, to, allowed: true });
  }
});
