import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, instant, utcDate } from '#units/instant.ts';
import { appendBars, barSeries } from './bar-series.ts';
import type { Bar } from './instrument.ts';

const SPY = 'SPY' as Symbol;

function bars(count: number): Bar[] {
  return Array.from({ length: count }, (_, day) => {
    const closedAt = instant((day + 1) * DAY_MS);
    const price = 100 + (day % 7);
    return {
      openedAt: instant(day * DAY_MS),
      closedAt,
      date: utcDate(closedAt),
      open: price,
      high: price + 1,
      low: price - 1,
      close: price + 0.5,
      volume: day,
    };
  });
}

test('columns that grow equal those of all bars at once, for any cut', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), (before, after) => {
      const all = bars(before + after);
      const grown = appendBars(barSeries(SPY, '1d', all.slice(0, before)), all.slice(before));
      expect(grown).toEqual(barSeries(SPY, '1d', all));
    }),
  );
});

test('a bar that does not come after the last is refused', () => {
  const all = bars(3);
  expect(() => appendBars(barSeries(SPY, '1d', all), all.slice(2))).toThrow('bars of SPY out of order at 3');
});
