import { expect, test } from 'vitest';
import { carryLine } from './carry-line.ts';

test('a day without a value of its own has the newest one before it', () => {
  const series = { labels: ['2026-01-03', '2026-01-05'], values: [1, 2] };
  const days = ['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-06'];
  expect(carryLine(days, series)).toEqual([null, 1, 1, 2]);
});

test('a gap in the series keeps what was known', () => {
  const series = { labels: ['2026-01-03', '2026-01-04'], values: [1, null] };
  expect(carryLine(['2026-01-04'], series)).toEqual([1]);
});
