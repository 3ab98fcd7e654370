import { describe, expect, test } from 'vitest';
import type { Bar } from '#engine/market/instrument.ts';
import { parseInstant } from '#units/instant.ts';
import { scriptedMarket } from '../../../tests/support/scripted-market.ts';
import { validateBar } from './validate-bar.ts';
import { findBandBreach, validateQuote } from './validate-quote.ts';

const instrument = scriptedMarket().instruments[0]!;
const now = parseInstant('2026-03-04T22:00:00Z');
const before: Bar = {
  date: '2026-03-03' as Bar['date'],
  openedAt: parseInstant('2026-03-03T14:30:00Z'),
  closedAt: parseInstant('2026-03-03T21:00:00Z'),
  open: 100,
  high: 103,
  low: 99,
  close: 102,
  volume: 5_000,
};
const good: Bar = {
  ...before,
  date: '2026-03-04' as Bar['date'],
  openedAt: parseInstant('2026-03-04T14:30:00Z'),
  closedAt: parseInstant('2026-03-04T21:00:00Z'),
};
const around = { instrument, before: [before], after: null, actions: [], now };
const fault = (change: Partial<Bar>, other: Partial<typeof around> | object = {}) =>
  validateBar({ ...good, ...change }, { ...around, ...other });
const times = (bar: Bar, factor: number): Bar => ({
  ...bar,
  open: bar.open * factor,
  high: bar.high * factor,
  low: bar.low * factor,
  close: bar.close * factor,
});

test('a sound bar has no fault', () => {
  expect(fault({})).toBeNull();
});

describe('a bar is refused when', () => {
  const spoiled: [name: string, change: Partial<Bar>, says: RegExp][] = [
    ['a number is missing', { close: Number.NaN }, /number is missing/],
    ['it is infinite', { high: Number.POSITIVE_INFINITY }, /number is missing/],
    ['its low is zero', { low: 0 }, /not above zero/],
    ['a price is negative', { low: -1 }, /not above zero/],
    ['the high is under the close', { high: 101 }, /do not enclose/],
    ['the low is over the open', { low: 100.5 }, /do not enclose/],
    ['the volume is negative', { volume: -1 }, /volume/],
    ['it has not closed', { closedAt: parseInstant('2026-03-04T23:00:00Z') }, /not closed yet/],
    ['it closes before it opens', { openedAt: parseInstant('2026-03-04T21:30:00Z') }, /before it opens/],
    ['it comes twice', { closedAt: before.closedAt, openedAt: before.openedAt }, /not after the last/],
    ['its day is a Sunday', { date: '2026-03-01' as Bar['date'] }, /no trading day/],
    [
      'its decimal point slipped',
      { open: 1_020, high: 1_030, low: 1_010, close: 1_020 },
      /more than tenfold/,
    ],
    ['its close alone slipped', { high: 1_020, close: 1_020 }, /more than tenfold/],
    ['its low alone slipped', { low: 9.9 }, /more than tenfold/],
  ];
  for (const [name, change, says] of spoiled) {
    test(name, () => expect(fault(change)).toMatch(says));
  }
});

const split = { kind: 'split', exDate: '2026-03-04' as Bar['date'], amount: 20 } as const;

test('a bar after a split of twenty for one is sound, and one that knows nothing of the split is not', () => {
  expect(validateBar(times(good, 1 / 20), { ...around, actions: [split] })).toBeNull();
  expect(validateBar(good, { ...around, actions: [split] })).toMatch(/tenfold/);
  expect(validateBar(times(good, 1 / 20), around)).toMatch(/tenfold/);
});

test('one wrong bar among the last keeps no true one out', () => {
  const wrong = { ...times(before, 9), closedAt: (before.closedAt + 1) as Bar['closedAt'] };
  const fallen = times(good, 0.85);
  expect(fault(fallen, { before: [wrong] })).toMatch(/tenfold/);
  expect(fault(fallen, { before: [before, wrong] })).toBeNull();
});

test('the first bar of all is held against the one that follows it, and against itself', () => {
  const first = { ...around, before: [] };
  expect(validateBar(before, { ...first, after: good })).toBeNull();
  expect(validateBar(times(before, 12), { ...first, after: good })).toMatch(/tenfold/);
  expect(validateBar({ ...before, high: 1_030, close: 1_020 }, first)).toMatch(/tenfold/);
});

test('a price that is nothing or crossed is not decided on', () => {
  const quote = { symbol: instrument.symbol, last: 100, bid: 99, ask: 101, open: true, at: now };
  expect(validateQuote(quote)).toBeNull();
  expect(validateQuote({ ...quote, last: 0 })).toMatch(/it is 0/);
  expect(validateQuote({ ...quote, last: Number.NaN })).toMatch(/NaN/);
  expect(validateQuote({ ...quote, bid: 102 })).toMatch(/above its ask/);
});

describe('of a quote', () => {
  const day = '2026-03-03' as Bar['date'];
  const at = (time: string) => ({ last: 5, at: parseInstant(time) });
  const known = (...prices: number[]) => prices.map((price) => ({ price, date: day }));
  const plain = { calendar: 'us-equity', actions: [] } as const;
  const splits = { calendar: 'us-equity', actions: [split] } as const;

  test('one known price must have it possible, whatever the others say', () => {
    const quote = { last: 100, at: now };
    expect(findBandBreach(quote, [], plain)).toBeNull();
    expect(findBandBreach(quote, known(10), plain)).toMatch(/tenfold/);
    expect(findBandBreach(quote, known(1_000, 90), plain)).toBeNull();
    expect(findBandBreach(quote, known(10, 1_000), plain)).toMatch(/tenfold/);
  });

  test('a split counts once its day has opened', () => {
    expect(findBandBreach(at('2026-03-03T16:00:00Z'), known(100), splits)).toMatch(/tenfold/);
    expect(findBandBreach(at('2026-03-04T14:30:00Z'), known(100), splits)).toBeNull();
    expect(findBandBreach({ ...at('2026-03-04T14:30:00Z'), last: 100 }, known(100), splits)).toMatch(
      /tenfold/,
    );
  });

  test('in the night before it either count is possible', () => {
    expect(findBandBreach(at('2026-03-03T23:00:00Z'), known(100), splits)).toBeNull();
    expect(findBandBreach({ ...at('2026-03-03T23:00:00Z'), last: 100 }, known(100), splits)).toBeNull();
    expect(findBandBreach({ ...at('2026-03-03T23:00:00Z'), last: 3_000 }, known(100), splits)).toMatch(
      /tenfold/,
    );
  });
});
