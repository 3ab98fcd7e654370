import type { SweepRows } from './plan-sweep.ts';

/**
 * The sets in an order in which those that share a number follow each other, by the place that varies most among the
 * first: whoever runs a stretch of it needs few of the columns. Sets that share it stay in their own order. `order` has
 * one element for each set and is filled.
 */
export function putInRunOrder(order: Int32Array, { paths, rows }: SweepRows): void {
  const width = paths.length;
  const widest = widestOf(rows, width);
  const groups = new Map<number | undefined, number[]>();
  for (let set = 0; set < order.length; set++) {
    const number = rows[set * width + widest];
    const group = groups.get(number);
    if (group === undefined) groups.set(number, [set]);
    else group.push(set);
  }
  let at = 0;
  for (const group of groups.values()) for (const set of group) order[at++] = set;
}

function widestOf(rows: Float64Array, width: number): number {
  let widest = 0;
  let most = 0;
  for (let k = 0; k < width; k++) {
    const seen = new Set<number>();
    for (let at = k; at < rows.length && at < LOOKED_AT * width; at += width) seen.add(rows[at]!);
    if (seen.size > most) {
      most = seen.size;
      widest = k;
    }
  }
  return widest;
}

/** Sets; enough to tell a place that varies from one that hardly does. */
const LOOKED_AT = 100;
