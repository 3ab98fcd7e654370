import { expect, test } from 'vitest';
import { seriesMap } from '#tests/support/engine/random-market.ts';
import { definitionOf } from '#tests/support/engine/sample-definitions.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { hours, nextTradingDay } from '../market/calendar.ts';
import { evaluate } from './evaluate.ts';
import { likelyTarget, nextDecisionSession } from './next-close.ts';

/** Ends with the session of Thursday 8 January 2026. */
function sessions(prices: readonly number[]): BarSeries {
  const dates: IsoDate[] = [];
  for (let date = '2025-12-28' as IsoDate; dates.length < prices.length; ) {
    date = nextTradingDay('us-equity', date);
    dates.push(date);
  }
  const close = Float64Array.from(prices);
  const closedAt = Float64Array.from(dates, (date) => hours('us-equity', date).closesAt);
  const columns = { open: close, high: close, low: close, close, volume: close };
  return { symbol: 'AAA' as Symbol, interval: '1d', length: close.length, closedAt, ...columns };
}

const RULE = {
  universe: ['AAA'],
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 10 },
    exitLong: { op: 'below', left: 'close', right: 10 },
  },
};
const series = seriesMap(sessions([9, 9, 9, 9, 9, 9, 9, 9]));
const last = series.get('AAA' as Symbol)!.closedAt.at(-1)! as Instant;
const next = (change: object, now = (last + 3_600_000) as Instant) =>
  nextDecisionSession(definitionOf({ ...RULE, ...change }), series, 'us-equity', now);

test('the next decision is at the next close, or the first of the next week or month', () => {
  expect(isoText(last)).toBe('2026-01-08T21:00:00.000Z');
  expect(next({})!.date).toBe('2026-01-09');
  expect(next({ schedule: { every: 'week' } })!.date).toBe('2026-01-12');
  expect(next({ schedule: { every: 'month' } })!.date).toBe('2026-02-02');
  // Every third bar from the first of eight: the ninth is not one, the tenth is.
  expect(next({ schedule: { every: 'bars', count: 3 } })!.date).toBe('2026-01-12');
});

test('during a session it is that session’s close; a close that has passed without its bar is not next', () => {
  expect(next({}, Date.UTC(2026, 0, 9, 15) as Instant)!.date).toBe('2026-01-09');
  expect(next({}, Date.UTC(2026, 0, 9, 21) as Instant)!.date).toBe('2026-01-12');
});

test('a strategy of hours decides at the next close of an hour, or the first one of the next day or month', () => {
  const bars = sessions([9, 9, 9]);
  const hourly = new Map([['AAA' as Symbol, { ...bars, interval: '1h' as const }]]);
  const at = (change: object, now: string) => {
    const definition = definitionOf({ ...RULE, interval: '1h', ...change });
    const found = nextDecisionSession(definition, hourly, 'us-equity', parseInstant(now));
    return found && isoText(found.closesAt).slice(5, 16);
  };
  expect(at({ schedule: { every: 'bar' } }, '2026-01-09T15:10:00Z')).toBe('01-09T15:30');
  expect(at({ schedule: { every: 'bar' } }, '2026-01-09T20:45:00Z')).toBe('01-09T21:00');
  expect(at({ schedule: { every: 'bar' } }, '2026-01-09T22:00:00Z')).toBe('01-12T15:30');
  expect(at({ schedule: { every: 'day' } }, '2026-01-09T16:10:00Z')).toBe('01-09T16:30');
  expect(at({ schedule: { every: 'month' } }, '2026-01-09T16:10:00Z')).toBe('01-09T16:30');
});

test('what is likely is what the close would bring at these prices', () => {
  const definition = definitionOf(RULE);
  const session = next({})!;
  const likely = (price: number) =>
    likelyTarget(definition, { series, prices: new Map([['AAA' as Symbol, price]]) }, session);
  expect(likely(11)).toMatchObject({
    asOf: session.closesAt,
    rebalance: true,
    weights: [{ symbol: 'AAA', weight: 1 }],
  });
  expect(likely(9)).toMatchObject({ rebalance: false, weights: [] });
  expect(likely(11).hash).toBe(
    evaluate(definition, seriesMap(sessions([9, 9, 9, 9, 9, 9, 9, 9, 11])), session.closesAt).hash,
  );
});
