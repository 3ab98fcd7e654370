import { describe, expect, test } from 'vitest';
import { equityInstrument } from '#tests/support/engine/random-market.ts';
import type { Bar } from '../market/instrument.ts';
import { parseInstant } from '#units/instant.ts';
import { type BarFault, validateBar } from './validate-bar.ts';

const instrument = equityInstrument('AAA');
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
  const spoiled: [name: string, change: Partial<Bar>, code: BarFault['code']][] = [
    ['a number is missing', { close: Number.NaN }, 'number_missing'],
    ['it is infinite', { high: Number.POSITIVE_INFINITY }, 'number_missing'],
    ['its low is zero', { low: 0 }, 'low_not_positive'],
    ['a price is negative', { low: -1 }, 'low_not_positive'],
    ['the high is under the close', { high: 101 }, 'not_bracketed'],
    ['the low is over the open', { low: 100.5 }, 'not_bracketed'],
    ['the volume is negative', { volume: -1 }, 'volume_negative'],
    ['it has not closed', { closedAt: parseInstant('2026-03-04T23:00:00Z') }, 'not_closed'],
    ['it closes before it opens', { openedAt: parseInstant('2026-03-04T21:30:00Z') }, 'closes_before_open'],
    ['it comes twice', { closedAt: before.closedAt, openedAt: before.openedAt }, 'not_after_last'],
    ['its day is a Sunday', { date: '2026-03-01' as Bar['date'] }, 'no_trading_day'],
    [
      'its decimal point slipped',
      { open: 1_020, high: 1_030, low: 1_010, close: 1_020 },
      'outside_price_band',
    ],
    ['its close alone slipped', { high: 1_020, close: 1_020 }, 'outside_price_band'],
    ['its low alone slipped', { low: 9.9 }, 'outside_price_band'],
  ];
  for (const [name, change, code] of spoiled) {
    test(name, () => expect(fault(change)).toMatchObject({ code }));
  }
});

const split = { kind: 'split', exDate: '2026-03-04' as Bar['date'], amount: 20 } as const;

test('a bar adjusted for a split of twenty for one is valid, and one that ignores the split is not', () => {
  expect(validateBar(times(good, 1 / 20), { ...around, actions: [split] })).toBeNull();
  expect(validateBar(good, { ...around, actions: [split] })).toMatchObject({ code: 'outside_price_band' });
  expect(validateBar(times(good, 1 / 20), around)).toMatchObject({ code: 'outside_price_band' });
});

test('one wrong bar among the last keeps no true bar out', () => {
  const wrong = { ...times(before, 9), closedAt: (before.closedAt + 1) as Bar['closedAt'] };
  const fallen = times(good, 0.85);
  expect(fault(fallen, { before: [wrong] })).toMatchObject({ code: 'outside_price_band' });
  expect(fault(fallen, { before: [before, wrong] })).toBeNull();
});

test('the very first bar is checked against the next one, and against itself', () => {
  const first = { ...around, before: [] };
  expect(validateBar(before, { ...first, after: good })).toBeNull();
  expect(validateBar(times(before, 12), { ...first, after: good })).toMatchObject({
    code: 'outside_price_band',
  });
  expect(validateBar({ ...before, high: 1_030, close: 1_020 }, first)).toMatchObject({
    code: 'outside_price_band',
  });
});
