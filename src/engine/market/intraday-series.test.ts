import { expect, test } from 'vitest';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText, MINUTE_MS } from '#units/instant.ts';
import { barSeries, type BarSeries } from './bar-series.ts';
import { session } from './calendar.ts';
import type { CalendarId } from './instrument.ts';
import { intradaySeries } from './intraday-series.ts';

/** A bar for each of these minutes after an instant, with its number as price and as volume. */
function minutesFrom(from: number, minutes: readonly number[]): BarSeries {
  return barSeries(
    'AAA' as Symbol,
    '1m',
    minutes.map((minute) => {
      const openedAt = (from + minute * MINUTE_MS) as Instant;
      const price = 100 + minute;
      return {
        openedAt,
        closedAt: (openedAt + MINUTE_MS) as Instant,
        date: '2024-07-03' as IsoDate,
        open: price,
        high: price + 0.5,
        low: price - 0.5,
        close: price + 0.25,
        volume: minute,
      };
    }),
  );
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const opens = (date: string, calendar: CalendarId = 'us-equity') =>
  session(calendar, date as IsoDate)!.opensAt;
const times = ({ closedAt }: BarSeries) => Array.from(closedAt, (at) => isoText(at as Instant).slice(5, 16));

test('hours are counted from the open, and the last one ends with the session', () => {
  const bars = intradaySeries(minutesFrom(opens('2024-07-03'), range(0, 390)), {
    interval: '1h',
    calendar: 'us-equity',
  });
  // The day before a holiday closes at 13:00 New York: what a vendor sends after it is left out.
  expect(times(bars)).toEqual(['07-03T14:30', '07-03T15:30', '07-03T16:30', '07-03T17:00']);
  expect(bars).toMatchObject({ interval: '1h', length: 4, barsPerDay: 7 });
  expect([bars.open[0], bars.high[0], bars.low[0], bars.close[0], bars.volume[0]]).toEqual([
    100,
    159.5,
    99.5,
    159.25,
    (59 * 60) / 2,
  ]);
  expect(bars.open[3]).toBe(280);
});

test('minutes before the open are left out, and a part without a minute has no bar', () => {
  const minutes = minutesFrom(opens('2024-07-02'), [-30, -1, 0, 4, 5, 12, 29, 61]);
  const bars = intradaySeries(minutes, { interval: '5m', calendar: 'us-equity' });
  expect(times(bars)).toEqual(['07-02T13:35', '07-02T13:40', '07-02T13:45', '07-02T14:00', '07-02T14:35']);
  expect(Array.from(bars.close)).toEqual([104.25, 105.25, 112.25, 129.25, 161.25]);
});

test('a part that has begun closes when it ends, not at its newest minute', () => {
  const bars = intradaySeries(minutesFrom(opens('2024-07-02'), range(0, 3)), {
    interval: '15m',
    calendar: 'us-equity',
  });
  expect(times(bars)).toEqual(['07-02T13:45']);
});

test('no part spans two sessions: neither over a night nor over the turn of the day of currencies', () => {
  const turn = opens('2024-07-03', 'forex');
  const bars = intradaySeries(minutesFrom(turn, range(-2, 2)), { interval: '1h', calendar: 'forex' });
  expect(times(bars)).toEqual(['07-02T21:00', '07-02T22:00']);
  expect(bars.barsPerDay).toBe(24);
});

test('what is no minute cannot be cut', () => {
  const days = { ...minutesFrom(opens('2024-07-02'), [0]), interval: '1d' as const };
  expect(() => intradaySeries(days, { interval: '5m', calendar: 'us-equity' })).toThrow(/AAA.*from 1d/);
});
