import { expect, test } from 'vitest';
import { baseOf, basesOf, expectedLines, expectedOn } from './expected-lines.ts';

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

test('money that is added or withdrawn moves the band with the value', () => {
  const labels = ['2026-01-05', '2026-01-06', '2026-01-07'];
  const flows = [{ at: '2026-01-07T15:00:00.000Z', amount: 5_000 }];
  expect(basesOf({ labels, data: [10_000, 10_000, 15_000] }, flows, 15_000)).toEqual([
    10_000, 10_000, 15_000,
  ]);
  const out = [{ at: '2026-01-06T15:00:00.000Z', amount: -5_000 }];
  expect(basesOf({ labels, data: [12_500, 7_500, 7_500] }, out, 6_000)).toEqual([10_000, 6_000, 6_000]);
  expect(basesOf({ labels, data: [1, 1, 1] }, [], 7)).toEqual([7, 7, 7]);
  expect(baseOf({ equity: 11_000, return_percent: 10 })).toBeCloseTo(10_000, 9);
});

test('the lines are dollars on what is invested', () => {
  const lines = expectedLines(ROWS, ['2026-01-02', '2026-01-05', '2026-01-06'], [20_000, 20_000, 20_000])!;
  expect(lines.outer.low).toEqual([null, 20_000, 19_600]);
  expect(lines.inner!.high).toEqual([null, 20_000, 20_200]);
  expect(expectedLines(ROWS, ['2027-01-01'], [20_000])).toBe(undefined);
  expect(expectedLines([], ['2026-01-05'], [20_000])).toBe(undefined);
});
