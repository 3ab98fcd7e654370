// How much of its money a strategy puts into one position. A lower limit per position cuts its targets.
import type { TargetTable } from './targets/target-table.ts';

/** Fractions of equity, above 0, shorts by their size. */
export type PositionSizes = {
  /** The median of the largest positions of all its targets: half of them ask for more. */
  readonly usual: number;
  readonly largest: number;
};

/** Over all targets of a record that ask for any position; null where none does. Options on held shares do not count. */
export function positionSizes({
  symbols,
  count,
  weights,
}: Pick<TargetTable, 'symbols' | 'count' | 'weights'>): PositionSizes | null {
  const sizes: number[] = [];
  for (let line = 0; line < count; line++) {
    let size = 0;
    for (let s = 0; s < symbols.length; s++)
      size = Math.max(size, Math.abs(weights[line * symbols.length + s]!));
    if (size > 0) sizes.push(size);
  }
  if (sizes.length === 0) return null;
  sizes.sort((a, b) => a - b);
  return { usual: sizes[Math.floor((sizes.length - 1) / 2)]!, largest: sizes.at(-1)! };
}
