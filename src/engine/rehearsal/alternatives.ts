// What a person's dollars would have come to in other orders of the same returns.
import { takeFee } from '../performance/net-of-fee.ts';
import { BLOCK, drawBlocks, rankOf, uniforms } from './block-bootstrap.ts';

/** Parallel to `rows`, dollars after the fee: 5, 50 and 95% of the paths are below. */
export type Alternatives = {
  readonly paths: number;
  readonly rows: readonly number[];
  readonly low: Float64Array;
  readonly median: Float64Array;
  readonly high: Float64Array;
  /** The share of paths that end below what was put in. */
  readonly lossShare: number;
};

export type AlternativesInput = {
  /** Returns before the fee, one for each row after the first. */
  readonly returns: Float64Array;
  /** As of `monthEnds`: one longer than the returns. */
  readonly ends: Uint8Array;
  /** Dollars at the first row. */
  readonly amount: number;
  readonly feePercent: number;
};

/** The same input gives the same paths. Null for fewer returns than two blocks. */
export function alternativesOf({
  returns,
  ends,
  amount,
  feePercent,
}: AlternativesInput): Alternatives | null {
  const { length } = returns;
  if (length < 2 * BLOCK) return null;
  const rows = sampledRows(length);
  const values = rows.map(() => new Float64Array(PATHS));
  const path = new Float64Array(length + 1);
  const drawn = new Float64Array(length);
  const random = uniforms(SEED);
  let losses = 0;
  for (let p = 0; p < PATHS; p++) {
    drawBlocks(drawn, { returns, random });
    path[0] = amount;
    for (let t = 0; t < length; t++) path[t + 1] = path[t]! * (1 + drawn[t]!);
    const { net } = takeFee(ends, path, feePercent);
    rows.forEach((row, i) => (values[i]![p] = net[row]!));
    if (net[length]! < amount) losses++;
  }
  for (const column of values) column.sort();
  const at = (share: number) => Float64Array.from(values, (column) => column[rankOf(share, PATHS)]!);
  return { paths: PATHS, rows, low: at(0.05), median: at(0.5), high: at(0.95), lossShare: losses / PATHS };
}

/** The first and the last row, and enough between them to draw by. */
function sampledRows(length: number): readonly number[] {
  const step = Math.max(1, Math.ceil(length / DRAWN));
  const rows: number[] = [];
  for (let row = 0; row < length; row += step) rows.push(row);
  return [...rows, length];
}

const PATHS = 500;
const DRAWN = 90;
const SEED = 1;
