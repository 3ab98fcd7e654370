import { expect, test } from 'vitest';
import { alignedTo, fallsOf, publishedLines } from './money-lines.ts';

const PUBLISHED = {
  labels: ['2026-01-02', '2026-01-30', '2026-02-02'],
  data: [100_000, 110_000, 99_000],
  benchmark: [null, 100_000, 105_000],
};

test('the published record becomes dollars of the amount, after the fee at each month’s end', () => {
  const lines = publishedLines(PUBLISHED, { amount: 10_000, feePercent: 30 });
  expect(lines.data).toEqual([10_000, 10_700, expect.closeTo(9_630, 6)]);
  expect(lines.benchmark).toEqual([null, 10_000, 10_500]);
});

test('without a fee it is the record itself', () => {
  expect(publishedLines(PUBLISHED, { amount: 1_000, feePercent: 0 }).data).toEqual([1_000, 1_100, 990]);
});

test('a fall counts from the last peak', () => {
  expect(fallsOf([100, 120, 90, 120, 60])).toEqual([0, 0, -0.25, 0, -0.5]);
});

test('another benchmark begins where the money stood on its first day, and keeps its last value on a holiday', () => {
  const other = { labels: ['2026-01-30', '2026-02-03'], values: [50, 60] };
  const labels = ['2026-01-02', '2026-01-30', '2026-02-02', '2026-02-03'];
  expect(alignedTo(labels, other, [1_000, 1_100, 1_090, 1_080])).toEqual([null, 1_100, 1_100, 1_320]);
});
