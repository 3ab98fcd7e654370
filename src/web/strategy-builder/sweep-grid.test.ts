import { expect, test } from 'vitest';
import type { SweepRun } from '#contract/strategies/backtests.ts';
import { heatOf, neighbourSpread, spreadOf, sweepGrid } from './sweep-grid.ts';

const run = (parameters: Record<string, number>, sharpe: number | null): SweepRun => ({
  parameters,
  sharpe,
  total_return: sharpe,
  annual_return: sharpe,
  max_drawdown: 1,
  trades: 1,
});

const runs = [
  run({ a: 10, b: 2 }, 1),
  run({ a: 10, b: 1 }, 0.5),
  run({ a: 20, b: 2 }, null),
  run({ a: 20, b: 1 }, -2),
];

test('two numbers make a grid in the order of their values', () => {
  const grid = sweepGrid(runs)!;
  expect(grid.across).toEqual({ path: 'a', values: [10, 20] });
  expect(grid.down).toEqual({ path: 'b', values: [1, 2] });
  expect(grid.rows.map((row) => row.map((cell) => cell?.place))).toEqual([
    [1, 3],
    [0, 2],
  ]);
});

test('one number or none makes no grid, and values that were not tried together leave a gap', () => {
  expect(sweepGrid([run({ a: 1 }, 1)])).toBeNull();
  expect(sweepGrid([])).toBeNull();
  expect(sweepGrid(runs.slice(1))!.rows).toEqual([
    [
      { place: 0, run: runs[1] },
      { place: 2, run: runs[3] },
    ],
    [null, { place: 1, run: runs[2] }],
  ]);
});

test('a cell is doubted by its neighbours, not by itself', () => {
  const grid = sweepGrid(runs)!;
  expect(neighbourSpread(grid, { row: 1, column: 0 }, 'sharpe')).toEqual({
    low: -2,
    middle: -0.75,
    high: 0.5,
  });
});

test('the middle of an odd number of figures is one of them; without figures there is none', () => {
  expect(spreadOf([3, null, 1, 2])).toEqual({ low: 1, middle: 2, high: 3 });
  expect(spreadOf([null])).toBeNull();
});

test('colours go by thirds of the largest, and zero has none', () => {
  expect([3, 2.1, 2, 0.1, 0, -0.1, -3].map((value) => heatOf(value, 3))).toEqual([3, 3, 2, 1, 0, -1, -3]);
});
