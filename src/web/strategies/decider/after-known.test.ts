import { expect, test } from 'vitest';
import type { StrategyPerformance } from '#contract/strategies/strategies.ts';
import { afterKnown } from './after-known.ts';

const DAYS = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08'];
/** Drawdowns have fewer days than the line. */
const record = (until: string | null) =>
  ({
    known_until: until,
    labels: DAYS,
    data: [1, 2, 3, 4],
    benchmark: [5, 6, 7, 8],
    drawdown: { labels: DAYS.slice(1), data_drawdown: [0.1, 0.2, 0.3] },
  }) as unknown as StrategyPerformance;
const shown = (until: string | null) => {
  const { labels, data, benchmark, drawdown } = afterKnown(record(until));
  return { labels, data, benchmark, falls: drawdown.data_drawdown, fallDays: drawdown.labels };
};

test('where no model decides, the record is whole', () => {
  const whole = record(null);
  expect(afterKnown(whole)).toBe(whole);
});

test('it begins on the last day that the model may know, which the first return is measured from', () => {
  expect(shown('2026-01-06')).toEqual({
    labels: DAYS.slice(1),
    data: [2, 3, 4],
    benchmark: [6, 7, 8],
    falls: [0.1, 0.2, 0.3],
    fallDays: DAYS.slice(1),
  });
  expect(shown('2026-01-07').falls).toEqual([0.2, 0.3]);
});

test('a day without a close is that before it', () => {
  const weekend = { ...record('2026-01-09'), labels: ['2026-01-09', '2026-01-12', '2026-01-13'] };
  expect(afterKnown({ ...weekend, known_until: '2026-01-11' }).labels).toEqual(weekend.labels);
  expect(afterKnown({ ...weekend, known_until: '2026-01-12' }).labels).toEqual(['2026-01-12', '2026-01-13']);
});

test('a record from after the knowledge is whole, and one that is all known is a point without a return', () => {
  expect(shown('2020-01-01').data).toEqual([1, 2, 3, 4]);
  expect(shown('2026-02-01').data).toEqual([4]);
});

test('times of day are of their day', () => {
  const hours = {
    ...record('2026-01-05'),
    labels: ['2026-01-05T15:00:00Z', '2026-01-05T16:00:00Z', '2026-01-06T15:00:00Z'],
  };
  expect(afterKnown(hours).labels).toEqual(hours.labels.slice(1));
});
