import { expect, test } from 'vitest';
import { expectedLines, expectedOn } from './expected-lines.ts';

const row = (date: string, session: number, spread: number) => ({
  date,
  session,
  p5: 1 - 2 * spread,
  p25: 1 - spread,
  p50: 1,
  p75: 1 + spread,
  p95: 1 + 2 * spread,
});
const ROWS = [row('2026-01-05', 0, 0), row('2026-01-06', 1, 0.01), row('2026-01-16', 9, 0.06)];

test('a day between two rows lies between them, and none outside of them is known', () => {
  expect(expectedOn(ROWS, '2026-01-06')).toMatchObject({ p5: 0.98, p95: 1.02 });
  expect(expectedOn(ROWS, '2026-01-11T21:00:00Z')!.p95).toBeCloseTo(1.07, 9);
  expect(expectedOn(ROWS, '2026-01-04')).toBe(null);
  expect(expectedOn(ROWS, '2026-01-17')).toBe(null);
});

test('the lines are dollars on what is invested', () => {
  const lines = expectedLines(ROWS, ['2026-01-02', '2026-01-05', '2026-01-06'], 20_000)!;
  expect(lines.outer.low).toEqual([null, 20_000, 19_600]);
  expect(lines.inner!.high).toEqual([null, 20_000, 20_200]);
  expect(expectedLines(ROWS, ['2027-01-01'], 20_000)).toBe(undefined);
  expect(expectedLines([], ['2026-01-05'], 20_000)).toBe(undefined);
});
