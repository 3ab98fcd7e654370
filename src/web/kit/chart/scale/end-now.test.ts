import { expect, test } from 'vitest';
import { endNow } from './end-now.ts';

const SERIES = { labels: ['2026-02-27', '2026-02-28'], data: [100, 110], benchmark: [100, 105] };

test('the last point of the current day is the current value', () => {
  const ended = endNow(SERIES, { value: 112.5, asOf: '2026-02-28T09:41:00.000Z' });
  expect(ended).toEqual({ ...SERIES, data: [100, 112.5] });
});

test('a day that began after the series was read adds a point, with the last known benchmark', () => {
  const ended = endNow(SERIES, { value: 90, asOf: '2026-03-01T00:01:00.000Z' });
  expect(ended.labels).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(ended.data).toEqual([100, 110, 90]);
  expect(ended.benchmark).toEqual([100, 105, 105]);
});

test('a session named after the next day stays the last', () => {
  const ended = endNow(SERIES, { value: 111, asOf: '2026-02-27T23:30:00.000Z' });
  expect(ended.labels).toEqual(SERIES.labels);
  expect(ended.data).toEqual([100, 111]);
});

test('what has no point yet stays empty', () => {
  const empty = { labels: [], data: [], benchmark: [] };
  expect(endNow(empty, { value: 1, asOf: '2026-02-28T00:00:00.000Z' })).toBe(empty);
});
