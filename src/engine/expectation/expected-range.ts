// Where a deployment was expected to go when it started: its return since then, in other orders of the days that the
// published record has. It assumes that the spread of the past continues, and knows nothing that the record has not seen.
import { passesFreeze } from '../risk/freeze.ts';
import { drawBlocks, rankOf, uniforms } from '../rehearsal/block-bootstrap.ts';

/** A share of the paths below each: half of them lie within the middle two, nine in ten within the outer two. */
export const EXPECTED_SHARES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

export type ExpectedRange = {
  readonly paths: number;
  /** How many sessions after the start each row is; the first is 0. */
  readonly sessions: readonly number[];
  /** One value for each row, for each share: 1 is what it started with. */
  readonly values: readonly (readonly number[])[];
};

export type ExpectedRangeInput = {
  /** Daily, before the fee, of the published record as the deployment would have met it without a freeze. */
  readonly returns: Float64Array;
  readonly sessions: number;
  /** 0 is off. A path that passes it stays where it is: what is held is taken as sold at once. */
  readonly freezeOnDrawdownPercent: number;
  readonly seed: number;
};

/** The same input gives the same range in every JavaScript engine. */
export function expectedRange(input: ExpectedRangeInput): ExpectedRange {
  const { returns, sessions, freezeOnDrawdownPercent, seed } = input;
  const rows = rowsOf(sessions);
  const columns = rows.map(() => new Float64Array(PATHS));
  const drawn = new Float64Array(sessions);
  const path = new Float64Array(sessions + 1);
  const random = uniforms(seed);
  for (let p = 0; p < PATHS; p++) {
    drawBlocks(drawn, { returns, random });
    walk(path, drawn, freezeOnDrawdownPercent);
    rows.forEach((row, i) => (columns[i]![p] = path[row]!));
  }
  for (const column of columns) column.sort();
  return {
    paths: PATHS,
    sessions: rows,
    values: EXPECTED_SHARES.map((share) => columns.map((column) => rounded(column[rankOf(share, PATHS)]!))),
  };
}

function walk(path: Float64Array, drawn: Float64Array, freezeOnDrawdownPercent: number): void {
  const limits = { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent };
  let value = 1;
  let peak = 1;
  let isFrozen = false;
  path[0] = value;
  for (let t = 0; t < drawn.length; t++) {
    if (!isFrozen) value *= 1 + drawn[t]!;
    peak = Math.max(peak, value);
    isFrozen ||= passesFreeze(limits, ((peak - value) / peak) * 100);
    path[t + 1] = value;
  }
}

/** Each of the first sessions, then one a week. */
function rowsOf(sessions: number): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < sessions; row += row < EACH_UNTIL ? 1 : WEEK) rows.push(row);
  return [...rows, sessions];
}

/** What is stored and what is computed again are the same numbers. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const PATHS = 1000;
const EACH_UNTIL = 20;
const WEEK = 5;
