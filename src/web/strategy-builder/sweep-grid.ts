// The runs of a sweep of two numbers as a grid, and how far each cell can be trusted: what its neighbours did.
import type { SweepRun } from '#contract/strategies/backtests.ts';

export type SweepFigure = 'sharpe' | 'annual_return';

export type GridCell = {
  /** Its place among the runs. */
  readonly place: number;
  readonly run: SweepRun;
};

export type SweepGrid = {
  readonly across: { readonly path: string; readonly values: readonly number[] };
  readonly down: { readonly path: string; readonly values: readonly number[] };
  /** By row; null where no run has these values. */
  readonly rows: readonly (readonly (GridCell | null)[])[];
};

/** Null unless exactly two numbers were tried. */
export function sweepGrid(runs: readonly SweepRun[]): SweepGrid | null {
  const paths = Object.keys(runs[0]?.parameters ?? {});
  const [acrossPath, downPath] = paths;
  if (paths.length !== 2 || acrossPath === undefined || downPath === undefined) return null;
  const across = { path: acrossPath, values: valuesOf(runs, acrossPath) };
  const down = { path: downPath, values: valuesOf(runs, downPath) };
  const rows = down.values.map((y) =>
    across.values.map((x) => {
      const place = runs.findIndex(
        ({ parameters }) => parameters[acrossPath] === x && parameters[downPath] === y,
      );
      return place < 0 ? null : { place, run: runs[place]! };
    }),
  );
  return { across, down, rows };
}

export type Spread = { readonly low: number; readonly middle: number; readonly high: number };

/** Of all runs that gave a figure; null where none did. */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null).sort((one, other) => one - other);
  if (known.length === 0) return null;
  const half = known.length / 2;
  const middle = (known[Math.floor(half - 0.5)]! + known[Math.floor(half)]!) / 2;
  return { low: known[0]!, middle, high: known.at(-1)! };
}

/** Of the cells beside one, diagonals included. A good cell among bad ones is a lucky one. */
export function neighbourSpread(
  grid: SweepGrid,
  { row, column }: { readonly row: number; readonly column: number },
  figure: SweepFigure,
): Spread | null {
  const beside: (number | null)[] = [];
  for (let y = row - 1; y <= row + 1; y++)
    for (let x = column - 1; x <= column + 1; x++)
      if (y !== row || x !== column) beside.push(grid.rows[y]?.[x]?.run[figure] ?? null);
  return spreadOf(beside);
}

/** From -3 to 3: which third of the largest size in the grid, and on which side of zero. */
export function heatOf(value: number, largest: number): number {
  if (value === 0 || largest === 0) return 0;
  return Math.sign(value) * Math.min(3, Math.ceil((Math.abs(value) / largest) * 3));
}

function valuesOf(runs: readonly SweepRun[], path: string): readonly number[] {
  return [...new Set(runs.map(({ parameters }) => parameters[path]!))].sort((one, other) => one - other);
}
