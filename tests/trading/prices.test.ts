import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import { equityInstrument, forexInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { tradedVersion } from '#trader/strategies/traded-version.ts';
import type { StrategyId, StrategyVersionId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';

describe('a bad bar', async () => {
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
    test(`a bar that is ${name} is not stored, nothing is decided on it, and the correct one is taken when it comes`, async () => {
      const before = await known();
      market.spoil = (bar, symbol) => (symbol === 'BBB' ? spoil(bar) : bar);
      market.closeDay();
      const report = await runTicks();
      expect(report.barsRefused).toBe(1);
      expect(await known()).toEqual(before);
      // Nor by a new process.
      await world.restart();
      expect((await runTicks()).barsRefused).toBe(1);
      expect(await known()).toEqual(before);
      market.spoil = null;
      await runTicks();
      expect(await known()).toEqual({ bars: before.bars + 1, targets: before.targets + 1 });
    });
  }

  test('a position keeps its value, and its stop loss is inactive, while its bars are bad', async () => {
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
});

describe('a bad quote', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market } = world;
  const version = await world.addStrategy(BOTH_ABOVE_30);
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const runTicks = () => {
    world.wait(60_000);
    return world.trader.tick();
  };
  const refusals = async () =>
    (await runTicks()).problems.filter(({ where }) => where === 'quotes').map(({ reason }) => reason);
  const shown = async () =>
    (
      await rows(
        `select d.marked_at as at, d.equity_micro as equity, p.mark_price::float as price, p.quantity::float as units,
         p.marked_at as "priceAt"
       from deployments d join positions p on p.deployment_id = d.id where d.id = $1 and p.symbol = 'AAA'`,
        id,
      )
    )[0];
  const exits = () => rows(`select side from orders where purpose = 'stop_loss' and deployment_id = $1`, id);

  market.closeDay();
  await runTicks();
  const id = await world.deploy(version, { stopLoss: 10 });
  await runTicks();
  market.openDay();
  await runTicks();
  beforeEach(async () => {
    expect(await refusals()).toEqual([]);
  });

  test('the first quote after a start is checked against the newest bar, and correct ones after it are taken', async () => {
    const before = await shown();
    market.setPrice('AAA', 1_200);
    await world.restart();
    market.advance(20 * 60_000);
    expect(await refusals()).toEqual([expect.stringContaining('price of AAA: it is 1200')]);
    expect(await shown()).toEqual(before);
    market.setPrice('AAA', 99);
    expect(await refusals()).toEqual([]);
    expect(await shown()).toMatchObject({ price: 99, at: new Date(market.now()) });
    expect(await exits()).toEqual([]);
  });

  test('a position valued at an older price because a newer one was refused shows the time of its price', async () => {
    market.setPrice('BBB', 41);
    await runTicks();
    const before = await shown();
    market.setPrice('AAA', 5);
    market.setPrice('BBB', 42);
    market.advance(20 * 60_000);
    expect(await refusals()).toHaveLength(1);
    const now = await shown();
    expect(Number(now.equity)).toBeGreaterThan(Number(before.equity));
    expect(now).toEqual({ ...before, equity: now.equity });
    // It causes no repeated looks.
    expect((await runTicks()).deploymentsMarked).toBe(0);
    market.setPrice('AAA', 99);
    market.setPrice('BBB', 40);
    await runTicks();
    const at = new Date(market.now());
    expect(await shown()).toMatchObject({ at, price: 99 });
  });

  test('a price that drifted away is dropped as soon as quotes agree with the newest bar again', async () => {
    const bar = market.price('AAA');
    for (const price of [60, 30, 15, 9]) {
      market.setPrice('AAA', price + bar * 9);
      expect(await refusals()).toEqual([]);
    }
    for (const price of [3_000, 9_000]) {
      market.setPrice('AAA', price);
      expect(await refusals()).toEqual([]);
    }
    market.setPrice('AAA', bar);
    expect(await refusals()).toEqual([]);
    expect(await shown()).toMatchObject({ price: bar });
    market.setPrice('AAA', 9_000);
    expect(await refusals()).toHaveLength(1);
    market.setPrice('AAA', bar);
  });

  test('quotes and bars after a 20-for-1 split are accepted by a trader that saw it and by one that starts then', async () => {
    const before = await shown();
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.closeDay();
    market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 20 });
    market.setPrice('AAA', market.price('AAA') / 20);
    expect(await refusals()).toEqual([]);
    await world.restart();
    expect(await refusals()).toEqual([]);
    market.openDay();
    expect(await refusals()).toEqual([]);
    expect(await shown()).toMatchObject({ units: before.units * 20, price: before.price / 20 });
    market.closeDay();
    expect((await runTicks()).barsRefused).toBe(0);
    await world.restart();
    expect(await refusals()).toEqual([]);
    expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
    expect(await exits()).toEqual([]);
  });
});

describe('a missing price', async () => {
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

  test('a position without a price keeps its last one, and the figures show the time of it', async () => {
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

  test('a missing price causes no repeated looks', async () => {
    market.unquoted = 'BBB';
    market.advance(60 * 60_000);
    await runTicks();
    expect((await runTicks()).deploymentsMarked).toBe(0);
  });

  test('an instrument in a currency without a rate is not traded', () => {
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
    expect(String(traded('AAA', 'EURGBP'))).toContain('not EURGBP (GBP)');
    expect(String(traded('NES'))).toContain('NES (CHF)');
  });
});
