// Strategies of hours and minutes in the product's own trader, from their first bar to the account at the broker: through closes of a
// session, a restart, a feed that is away, the end of the session and the next morning.
import { afterAll, describe, expect, test } from 'vitest';
import { backtest } from '#engine/backtest/backtest.ts';
import { barSeries } from '#engine/market/bar-series.ts';
import { flatCosts } from '#engine/market/costs.ts';
import { intradaySeries } from '#engine/market/intraday-series.ts';
import { compileDefinition } from '#engine/strategy/compile-definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { dataHash } from '#engine/evidence/fingerprints.ts';
import { barsAsRead } from '#engine/evidence/verify-passport.ts';
import { evaluate } from '#engine/strategy/evaluate.ts';
import { listBars } from '#records/market/bars.ts';
import { listInstruments } from '#records/market/instruments.ts';
import { findChangedBars } from '#records/market/changed-bars.ts';
import { readSeries } from '#records/market/read-series.ts';
import { listEvidenceSeries } from '#records/results/evidence-series.ts';
import { renewResult, type ResultTools } from '#results/renew-result.ts';
import { equityInstrument, instrumentMap } from '#tests/support/engine/random-market.ts';
import { intradayWorld, RULES } from '#tests/support/intraday-world.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { createBarHistory } from '#trader/market-data/bar-history.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, parseInstant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';

const HOUR = 'HOUR' as Symbol;

describe('a strategy of hours', async () => {
  // A Monday: its session is 14:30 to 21:00 UTC. The price is above a hundred in hours that begin at half past an even one.
  const world = await intradayWorld(await testDatabase(), { at: '2026-11-23T14:40:00Z' });
  afterAll(() => world.close());
  let version: string;
  const deployments: string[] = [];
  const orders = () => world.orders().map(({ side, status }) => `${side} ${status}`);
  const closes = async () =>
    (await world.targets(version)).map(
      ({ at, weight, rebalance }) => `${at.slice(5)} ${weight}${rebalance ? ' traded' : ''}`,
    );

  test('it follows the newest close from its deployment on', async () => {
    version = await world.addStrategy({});
    deployments.push(await world.deploy(version));
    await world.look();
    // The last part of Friday was half an hour.
    expect(await closes()).toEqual(['11-20T21:00 0.5 traded']);
    expect(orders()).toEqual(['buy filled']);
  });

  test('it decides once at each close of an hour, counted from the open, as soon as its bar is whole', async () => {
    await world.goTo('2026-11-23T15:30:10Z');
    expect(await closes()).toHaveLength(1);
    await world.goTo('2026-11-23T15:31:00Z');
    await world.goTo('2026-11-23T16:31:00Z');
    expect((await closes()).slice(1)).toEqual(['11-23T15:30 0.5', '11-23T16:30 0 traded']);
    expect(orders()).toEqual(['buy filled', 'sell filled']);
  });

  test('the bars are asked for once a close, and no others are', async () => {
    const before = world.asked.length;
    await world.goTo('2026-11-23T17:29:00Z');
    expect(world.asked.length).toBe(before);
    await world.goTo('2026-11-23T17:31:00Z');
    await world.look();
    expect(world.asked.length).toBe(before + 1);
    expect(world.asked.every((url) => url.includes('symbols=HOUR&timeframe=30Min'))).toBe(true);
  });

  test('after a restart nothing is decided or ordered twice', async () => {
    await world.restart();
    await world.look();
    expect((await closes()).slice(3)).toEqual(['11-23T17:30 0.5 traded']);
    expect(orders()).toEqual(['buy filled', 'sell filled', 'buy filled']);
  });

  test('while the feed is away nothing new is decided, which is said, and a decision that is too old is not traded', async () => {
    world.setSilent(true);
    world.problems.length = 0;
    await world.goTo('2026-11-23T18:31:00Z');
    await world.goTo('2026-11-23T19:40:00Z');
    expect(world.problems.some((said) => said.includes('bars of 1h of HOUR failed: unreachable'))).toBe(true);
    deployments.push(await world.deploy(version));
    await world.look();
    expect(await closes()).toHaveLength(4);
    expect(orders()).toHaveLength(3);
    expect(await world.refusals(deployments[1]!)).toEqual(['too_late']);
    expect(await world.refusals(deployments[0]!)).not.toContain('too_late');
  });

  test('when it is back every missed close is decided in order, and only the newest is traded', async () => {
    world.setSilent(false);
    await world.goTo('2026-11-23T20:10:00Z');
    expect((await closes()).slice(4)).toEqual(['11-23T18:30 0 traded', '11-23T19:30 0.5 traded']);
    // The first deployment held what the newest close wants all along.
    expect(orders().slice(3)).toEqual(['buy filled']);
  });

  test('the last close of a day is traded at the next opening, as that of a day is', async () => {
    await world.goTo('2026-11-23T20:31:00Z');
    expect(orders().slice(4)).toEqual(['sell filled', 'sell filled']);
    await world.goTo('2026-11-23T21:01:00Z');
    expect((await closes()).slice(6)).toEqual(['11-23T20:30 0 traded', '11-23T21:00 0.5 traded']);
    await world.goTo('2026-11-23T22:00:00Z');
    expect(world.fills()).toHaveLength(6);
    await world.goTo('2026-11-24T14:31:00Z');
    expect(
      orders()
        .slice(6)
        .filter((one) => one === 'buy filled'),
    ).toHaveLength(2);
    const sent = world.orders().map(({ clientOrderId }) => clientOrderId);
    expect(new Set(sent).size).toBe(sent.length);
  });

  test('a half day ends with its early close', async () => {
    await world.goTo('2026-11-25T21:01:00Z');
    await world.goTo('2026-11-27T18:01:00Z');
    expect((await closes()).slice(-4).map((one) => one.slice(0, 11))).toEqual([
      '11-27T15:30',
      '11-27T16:30',
      '11-27T17:30',
      '11-27T18:00',
    ]);
    await world.everythingHolds();
  });

  test('its bars are sealed, and are those that a backtest cuts from the minutes', async () => {
    const stored = await listBars(world.database, { symbol: HOUR, interval: '1h', source: 'live' });
    expect(stored.length).toBeGreaterThan(3_000);
    expect(await findChangedBars(world.database)).toEqual([]);
    const since = parseInstant('2026-11-23T14:30:00Z');
    const minutes = await world.marketData.intraday!.bars({ symbols: [HOUR], interval: '1m', after: since });
    if (!minutes.ok) throw new Error(minutes.message);
    const cut = intradaySeries(barSeries(HOUR, '1m', minutes.value.bars.get(HOUR)!.bars), {
      interval: '1h',
      calendar: 'us-equity',
    });
    const newest = stored.filter(({ closedAt }) => closedAt > since);
    expect(barSeries(HOUR, '1h', newest)).toEqual({ ...cut, barsPerDay: undefined });
    expect(newest).toHaveLength(7 * 3 + 4);
  });

  test('each decision can be made again from the bars that are kept', async () => {
    const parsed = parseDefinition(RULES);
    if (!parsed.ok) throw new Error('the rules do not parse');
    for (const { asOf, hash } of await world.targets(version)) {
      const series = await readSeries(world.database, { symbol: HOUR, interval: '1h' }, asOf);
      expect(evaluate(parsed.definition, new Map([[HOUR, series]]), asOf).hash).toBe(hash);
    }
  });

  test('a backtest over the same bars decides the same at the same closes', async () => {
    const parsed = parseDefinition(RULES);
    if (!parsed.ok) throw new Error('the rules do not parse');
    const { definition } = parsed;
    const since = { from: '2026-11-20' as IsoDate };
    const bars = await listBars(world.database, { symbol: HOUR, interval: '1h', source: 'live' }, since);
    const series = new Map([[HOUR, { ...barSeries(HOUR, '1h', bars), barsPerDay: 7 }]]);
    const { table } = compileDefinition(definition, series);
    const decided = Array.from(table.rows.subarray(0, table.count), (row, i) => ({
      at: new Date(table.timeline[row]!).toISOString().slice(0, 16),
      weight: table.weights[i] ?? 0,
    }));
    const written = await world.targets(version);
    const traded = written.filter(({ rebalance }) => rebalance);
    expect(traded.map(({ at, weight }) => ({ at, weight }))).toEqual(
      decided.filter(({ at }) => at >= written[0]!.at),
    );
    const { fills } = backtest({
      definition,
      series,
      instruments: instrumentMap(equityInstrument(HOUR)),
      settings: {
        initialCash: toMicro(10_000),
        costs: flatCosts({ commissionRate: 0, slippageRate: 0 }),
        limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
        collar: 0.05,
        noTradeBand: 0,
      },
    });
    const monday = parseInstant('2026-11-23T00:00:00Z');
    const side = (weight: number) => (weight > 0 ? 'buy' : 'sell');
    expect(fills.filter(({ at }) => at > monday).map((one) => one.side)).toEqual(
      // The newest close has no bar after it yet, at whose open a backtest could fill.
      traded.slice(0, -1).map(({ weight }) => side(weight)),
    );
  });
});

describe('a draft of half hours', async () => {
  const world = await intradayWorld(await testDatabase(), { at: '2026-11-23T16:40:00Z' });
  afterAll(() => world.close());

  test('its bars are kept before anybody trades it, it is tested on them, and its result names them', async () => {
    const version = await world.addDraft({ interval: '30m' });
    await world.look();
    const key = { symbol: HOUR, interval: '30m', source: 'live' } as const;
    const bars = await listBars(world.database, key);
    expect(bars.at(-1)!.closedAt).toBe(parseInstant('2026-11-23T16:30:00Z'));
    expect(await world.targets(version.versionId)).toEqual([]);
    const instruments = instrumentMap(...(await listInstruments(world.database)));
    const tools: ResultTools = {
      database: world.database,
      history: createBarHistory(world.database, 'live'),
      parts: (interval) => createBarHistory(world.database, 'live', { interval, instruments }),
      source: 'live',
      instruments,
      models: { score: () => Promise.reject(new Error('this strategy has no model')) },
      now: world.now(),
      engine: 'this engine',
      feePercent: 30,
    };
    expect(await renewResult(tools, version)).toBe('renewed');
    const { barsRead, dataHash: stored } = await world.result(version.versionId);
    expect(barsRead).toMatchObject({ source: 'live', interval: '30m', counts: { HOUR: bars.length } });
    const read = [];
    const history = () => Promise.reject(new Error('not in the history'));
    for await (const one of listEvidenceSeries(world.database, barsRead, { scores: null, history }))
      read.push(one);
    const { series, instruments: known } = barsAsRead({ series: read });
    expect(series.get(HOUR)).toMatchObject({ interval: '30m', barsPerDay: 13, length: bars.length });
    expect(dataHash({ instruments: known, series })).toBe(stored);
    await world.everythingHolds();
  });
});

describe('a strategy of minutes', async () => {
  const world = await intradayWorld(await testDatabase(), { at: '2026-11-23T15:00:20Z' });
  afterAll(() => world.close());

  test('it decides and trades at each close of a minute; a minute without a trade is no gap and no close', async () => {
    const version = await world.addStrategy({ universe: ['MINT'], benchmark: 'MINT', interval: '1m' });
    await world.deploy(version);
    world.untraded.add('MINT 2026-11-23T15:03:00.000Z');
    for (const minute of ['00:40', '01:40', '02:40', '03:40', '04:40', '05:40'])
      await world.goTo(`2026-11-23T15:${minute}Z`);
    expect((await world.targets(version)).map(({ at, weight }) => `${at.slice(11)} ${weight}`)).toEqual([
      '15:00 0',
      '15:01 0.5',
      '15:02 0',
      '15:03 0.5',
      '15:05 0.5',
    ]);
    const sides = world.orders().map(({ side, status }) => `${side} ${status}`);
    expect(sides).toEqual(['buy filled', 'sell filled', 'buy filled']);
    await world.everythingHolds();
  });
});

describe('a strategy of minutes after a day away', async () => {
  const world = await intradayWorld(await testDatabase(), { at: '2026-11-23T15:00:40Z' });
  afterAll(() => world.close());

  test('it decides hundreds of closes a part at a time, in order, and trades none before the newest', async () => {
    const version = await world.addStrategy({ universe: ['MINT'], benchmark: 'MINT', interval: '1m' });
    await world.deploy(version);
    await world.look();
    const before = world.orders().length;
    await world.goTo('2026-11-24T15:00:40Z');
    expect(await world.targets(version)).toHaveLength(1 + 300);
    expect(world.orders()).toHaveLength(before);
    await world.look();
    const closes = (await world.targets(version)).map(({ asOf }) => asOf);
    expect(closes).toHaveLength(1 + 360 + 30);
    expect(closes).toEqual(closes.toSorted((a, b) => a - b));
    expect(closes.at(-1)).toBe(parseInstant('2026-11-24T15:00:00Z'));
    await world.goTo('2026-11-24T15:01:40Z');
    expect(
      world
        .orders()
        .slice(before)
        .map(({ side }) => side),
    ).toEqual(['buy']);
    await world.everythingHolds();
  });
});

describe('on the free plan, whose prices of all exchanges come a quarter of an hour late', async () => {
  const world = await intradayWorld(await testDatabase(), { at: '2026-11-23T15:15:00Z', feed: 'iex' });
  afterAll(() => world.close());

  test('hours and half hours are traded while the next one runs, and minutes are not offered', async () => {
    expect(world.marketData.intraday!.intervals('equity')).toEqual(['30m', '1h']);
    const version = await world.addStrategy({});
    await world.deploy(version);
    await world.look();
    expect(world.orders().map(({ side }) => side)).toEqual(['buy']);
    await world.goTo('2026-11-23T15:45:00Z');
    expect(await world.targets(version)).toHaveLength(1);
    await world.goTo('2026-11-23T15:47:00Z');
    expect((await world.targets(version)).map(({ at }) => at.slice(11))).toEqual(['21:00', '15:30']);
    await world.goTo('2026-11-23T16:47:00Z');
    expect((await world.targets(version)).map(({ at }) => at.slice(11))).toEqual(['21:00', '15:30', '16:30']);
    expect(world.orders().map(({ side }) => side)).toEqual(['buy', 'sell']);
  });
});
