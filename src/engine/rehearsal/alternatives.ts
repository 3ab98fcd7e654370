// How else the same returns could have come: whole blocks of them drawn again and again, in another order each time
// (circular block bootstrap: Politis and Romano, 1992). It keeps what days of a month have to do with each other, and
// knows nothing that the record has not seen.
import { takeFee } from '../performance/net-of-fee.ts';

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
  const random = uniforms(SEED);
  let losses = 0;
  for (let p = 0; p < PATHS; p++) {
    drawPath(path, { returns, amount, random });
    const { net } = takeFee(ends, path, feePercent);
    rows.forEach((row, i) => (values[i]![p] = net[row]!));
    if (net[length]! < amount) losses++;
  }
  for (const column of values) column.sort();
  const at = (share: number) => Float64Array.from(values, (column) => column[rankOf(share)]!);
  return { paths: PATHS, rows, low: at(0.05), median: at(0.5), high: at(0.95), lossShare: losses / PATHS };
}

function drawPath(
  path: Float64Array,
  { returns, amount, random }: { returns: Float64Array; amount: number; random: () => number },
): void {
  const { length } = returns;
  path[0] = amount;
  let from = 0;
  for (let t = 0; t < length; t++) {
    if (t % BLOCK === 0) from = Math.floor(random() * length);
    path[t + 1] = path[t]! * (1 + returns[(from + (t % BLOCK)) % length]!);
  }
}

/** The first and the last row, and enough between them to draw by. */
function sampledRows(length: number): readonly number[] {
  const step = Math.max(1, Math.ceil(length / DRAWN));
  const rows: number[] = [];
  for (let row = 0; row < length; row += step) rows.push(row);
  return [...rows, length];
}

function rankOf(share: number): number {
  return Math.min(PATHS - 1, Math.floor(share * PATHS));
}

/** Numbers in [0, 1), the same for the same seed in every JavaScript engine: mulberry32 (Ettinger, public domain). */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PATHS = 500;
/** Rows: a month of days. */
const BLOCK = 21;
const DRAWN = 90;
const SEED = 1;
