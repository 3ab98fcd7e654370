// Columns of one instrument read at the bars of another: at each moment the newest value already known.
import type { BarSeries } from '../market/bar-series.ts';

/** For each instant, the index of the last bar closed at or before it; -1 before the first. Both rise. */
export function lastClosedIndex(instants: Float64Array, closedAt: Float64Array): Int32Array {
  const result = new Int32Array(instants.length);
  let bar = -1;
  for (let i = 0; i < instants.length; i++) {
    while (bar + 1 < closedAt.length && closedAt[bar + 1]! <= instants[i]!) bar++;
    result[i] = bar;
  }
  return result;
}

/** `column`, which runs over the bars of `source`, as seen at each bar of `own`. */
export function alignTo(own: BarSeries, source: BarSeries, column: Float64Array): Float64Array {
  if (sameInstants(own.closedAt, source.closedAt)) return column;
  const index = lastClosedIndex(own.closedAt, source.closedAt);
  const result = new Float64Array(own.length);
  for (let i = 0; i < result.length; i++) result[i] = index[i]! < 0 ? Number.NaN : column[index[i]!]!;
  return result;
}

export function sameInstants(left: Float64Array, right: Float64Array): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  // Cut from the same columns at the same place: nothing to compare.
  if (left.buffer === right.buffer && left.byteOffset === right.byteOffset) return true;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}

/** The distinct instants of several rising columns, rising. */
export function unionOfInstants(columns: readonly Float64Array[]): Float64Array {
  let union = columns[0] ?? new Float64Array(0);
  for (const column of columns) {
    if (!sameInstants(union, column)) union = mergeTwo(union, column);
  }
  return union;
}

function mergeTwo(left: Float64Array, right: Float64Array): Float64Array {
  const merged = new Float64Array(left.length + right.length);
  let size = 0;
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const a = l < left.length ? left[l]! : Number.POSITIVE_INFINITY;
    const b = r < right.length ? right[r]! : Number.POSITIVE_INFINITY;
    merged[size++] = a < b ? a : b;
    if (a <= b) l++;
    if (b <= a) r++;
  }
  return merged.slice(0, size);
}
