import { afterAll, afterEach, expect, test } from 'vitest';
import type { Bar } from '#engine/market/instrument.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());
afterEach(() => {
  market.spoil = null;
});
const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
const known = async () => ({
  bars: (await rows(`select count(*)::int as n from bars where symbol = 'BBB'`))[0].n as number,
  targets: (await rows(`select count(*)::int as n from targets`))[0].n as number,
});
market.closeDay();
await runTicks();

const times = (factor: number) => (bar: Bar) => ({
  ...bar,
  open: bar.open * factor,
  high: bar.high * factor,
  low: bar.low * factor,
  close: bar.close * factor,
});
const SPOILT: { readonly [name: string]: (bar: Bar) => Bar } = {
  'twelve times the last close': times(12),
  'a twentieth of it': times(0.05),
  'not a number': (bar) => ({ ...bar, close: Number.NaN }),
  'of a Sunday': (bar) => ({ ...bar, date: '2026-03-01' as Bar['date'] }),
  'not closed yet': (bar) => ({ ...bar, closedAt: (bar.closedAt + 86_400_000) as Bar['closedAt'] }),
};

for (const [name, spoil] of Object.entries(SPOILT)) {
  test(`a bar that is ${name} is not kept, nothing is decided on it, and the true one is taken when it comes`, async () => {
    const before = await known();
    market.spoil = (bar, symbol) => (symbol === 'BBB' ? spoil(bar) : bar);
    market.closeDay();
    const report = await runTicks();
    expect(report.barsRefused).toBe(1);
    expect(await known()).toEqual(before);
    // Nor by a process that has seen nothing of this.
    await world.restart();
    expect((await runTicks()).barsRefused).toBe(1);
    expect(await known()).toEqual(before);
    market.spoil = null;
    await runTicks();
    expect(await known()).toEqual({ bars: before.bars + 1, targets: before.targets + 1 });
  });
}

test('a position keeps its value and its stop loss sleeps while its bars are bad', async () => {
  const id = await world.deploy(version, { stopLoss: 10 });
  await runTicks();
  market.openDay();
  await runTicks();
  market.spoil = (bar, symbol) => (symbol === 'BBB' ? times(0.05)(bar) : bar);
  market.closeDay();
  await runTicks();
  await runTicks();
  expect(
    await rows(`select side, purpose from orders where deployment_id = $1 and side = 'sell'`, id),
  ).toEqual([]);
  const [{ change }] = await rows(
    `select abs(equity_micro - investment_micro)::float / 1e6 as change from deployments where id = $1`,
    id,
  );
  expect(change).toBeLessThan(100);
});
