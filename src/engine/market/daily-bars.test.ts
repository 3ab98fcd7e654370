import { expect, test } from 'vitest';
import { HOUR_MS, type Instant, type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import { dailyBars } from './daily-bars.ts';
import type { Bar } from './instrument.ts';

function hour(start: string, date: string, prices: readonly [number, number, number, number]): Bar {
  const openedAt = parseInstant(start);
  const [open, high, low, close] = prices;
  return {
    openedAt,
    closedAt: (openedAt + HOUR_MS) as Instant,
    date: date as IsoDate,
    open,
    high,
    low,
    close,
    volume: 2,
  };
}

test('hours become days of their session, and hours outside any session are left out', () => {
  const days = dailyBars(
    [
      hour('2018-01-02T20:00:00Z', '2018-01-02', [5, 6, 4, 5]),
      hour('2018-01-02T22:00:00Z', '2018-01-03', [5, 7, 5, 6]),
      hour('2018-01-02T23:00:00Z', '2018-01-03', [6, 6, 3, 4]),
      hour('2018-01-06T12:00:00Z', '2018-01-06', [9, 9, 9, 9]),
    ],
    'forex',
  );
  expect(days.map((day) => [day.date, day.open, day.high, day.low, day.close, day.volume])).toEqual([
    ['2018-01-02', 5, 6, 4, 5, 2],
    ['2018-01-03', 5, 7, 3, 4, 4],
  ]);
  expect(isoText(days[1]!.openedAt)).toBe('2018-01-02T22:00:00.000Z');
});
