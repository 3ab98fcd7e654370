import { afterAll, afterEach, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { equityInstrument, forexInstrument, instrumentMap } from '../support/engine/random-market.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { StrategyId, StrategyVersionId } from '#units/identifiers.ts';
import { tradedVersion } from '#trader/strategies/traded-version.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market } = world;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());
afterEach(() => {
  market.unquoted = null;
});
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
const shown = async (id: string) => {
  const { rows } = await handle.pool.query<{ at: Date; equity: string; status: string }>(
    `select marked_at as at, equity_micro as equity, status from deployments where id = $1`,
    [id],
  );
  return rows[0]!;
};

test('while something held has no price, its last one counts, and the figures say of when they are', async () => {
  market.closeDay();
  await runTicks();
  const id = await world.deploy(version, { freeze: 10 });
  await runTicks();
  market.openDay();
  await runTicks();
  await runTicks();
  const priced = await shown(id);
  market.unquoted = 'BBB';
  market.setPrice('BBB', 1);
  for (let look = 0; look < 5; look++) {
    market.advance(20 * 60_000);
    await runTicks();
    expect(await shown(id)).toEqual(priced);
  }
  market.setPrice('AAA', 101);
  await runTicks();
  const moved = await shown(id);
  expect(Number(moved.equity)).toBeGreaterThan(Number(priced.equity));
  expect(moved.at).toEqual(priced.at);
  market.unquoted = null;
  market.setPrice('BBB', 40);
  market.advance(20 * 60_000);
  await runTicks();
  expect((await shown(id)).at.getTime()).toBe(market.now());
  expect((await shown(id)).status).toBe('active');
});

test('nobody is looked at again and again for a price that is missing', async () => {
  market.unquoted = 'BBB';
  market.advance(60 * 60_000);
  await runTicks();
  expect((await runTicks()).deploymentsMarked).toBe(0);
});

test('what is quoted in a currency whose rate another price must tell is not traded', () => {
  const instruments = instrumentMap(
    equityInstrument('AAA'),
    forexInstrument('EURGBP'),
    forexInstrument('EURUSD'),
    forexInstrument('USDCHF'),
    { ...equityInstrument('NES'), currency: 'CHF' } as Instrument,
  );
  const traded = (...universe: string[]) =>
    tradedVersion(
      {
        id: 'version' as StrategyVersionId,
        strategyId: 'strategy' as StrategyId,
        strategyName: 'Crosses',
        definition: { ...BOTH_ABOVE_30, universe },
        definitionHash: '',
      } as unknown as Parameters<typeof tradedVersion>[0],
      instruments,
    );
  expect(traded('AAA', 'EURUSD', 'USDCHF')).toMatchObject({ calendar: 'us-equity' });
  expect(traded('AAA', 'EURGBP')).toContain('it trades EURGBP (GBP), whose rate to the dollar');
  expect(traded('NES')).toContain('NES (CHF)');
});
