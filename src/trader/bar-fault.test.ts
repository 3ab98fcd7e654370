import { describe, expect, test } from 'vitest';
import type { Bar } from '#engine/market/instrument.ts';
import { parseInstant } from '#units/instant.ts';
import { scriptedMarket } from '../../tests/support/scripted-market.ts';
import { barFault } from './bar-fault.ts';
import { quoteFault } from './market-view.ts';

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
const fault = (change: Partial<Bar>) => barFault({ ...good, ...change }, { instrument, before, now });

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
  ];
  for (const [name, change, says] of spoiled) {
    test(name, () => expect(fault(change)).toMatch(says));
  }
});

test('a price that is nothing, crossed or tenfold is not decided on', () => {
  const quote = { symbol: instrument.symbol, last: 100, bid: 99, ask: 101, open: true, at: now };
  expect(quoteFault(quote, 90)).toBeNull();
  expect(quoteFault({ ...quote, last: 0 }, 90)).toMatch(/it is 0/);
  expect(quoteFault({ ...quote, last: Number.NaN }, undefined)).toMatch(/NaN/);
  expect(quoteFault({ ...quote, bid: 102 }, 90)).toMatch(/above its ask/);
  expect(quoteFault(quote, 10)).toMatch(/tenfold/);
});
