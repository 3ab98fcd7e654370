import { expect, test } from 'vitest';
import { type ChartMark, marksByPoint } from './chart-marks.ts';

const LABELS = ['2026-01-02', '2026-01-05', '2026-01-06'];
const mark = (id: string, day: string): ChartMark => ({ id, day, side: 'buy', text: id });
const idsAt = (marks: readonly ChartMark[]) =>
  [...marksByPoint(LABELS, marks)].map(([at, there]) => [at, there.map(({ id }) => id)]);

test('marks of one day share its point, in their order', () => {
  expect(idsAt([mark('a', '2026-01-05'), mark('b', '2026-01-05T14:30:00.000Z')])).toEqual([[1, ['a', 'b']]]);
});

test('a mark between two points belongs to the earlier one', () => {
  expect(idsAt([mark('a', '2026-01-03')])).toEqual([[0, ['a']]]);
});

test('what lies outside of the days in sight has no mark', () => {
  expect(idsAt([mark('a', '2026-01-01'), mark('b', '2026-01-07')])).toEqual([]);
  expect(marksByPoint([], [mark('a', '2026-01-01')]).size).toBe(0);
});
