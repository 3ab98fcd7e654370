import { expect, test } from 'vitest';
import type { Instant, IsoDate } from '#units/instant.ts';
import { adjustForSplits } from './corporate-action.ts';
import type { Bar } from './instrument.ts';

function bar(date: string, price: number): Bar {
  const at = Date.parse(date) as Instant;
  return {
    openedAt: at,
    closedAt: (at + 1) as Instant,
    date: date as IsoDate,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 10,
  };
}
const bars = [bar('2020-01-02', 84), bar('2020-01-03', 42), bar('2020-01-06', 43), bar('2020-01-07', 86)];
const split = (exDate: string, amount: number) => ({
  kind: 'split' as const,
  exDate: exDate as IsoDate,
  amount,
});

test('prices before a split are divided by its ratio and volume multiplied, from its day on nothing changes', () => {
  const adjusted = adjustForSplits(bars, [split('2020-01-03', 2), split('2020-01-07', 0.5)]);
  expect(adjusted.map(({ close, volume }) => [close, volume])).toEqual([
    [84, 10],
    [84, 5],
    [86, 5],
    [86, 10],
  ]);
});

test('dividends leave prices alone and raw bars stay as they were', () => {
  expect(adjustForSplits(bars, [{ kind: 'dividend', exDate: '2020-01-06' as IsoDate, amount: 1 }])).toEqual(
    bars,
  );
});
