import type { KeptLot } from './kept-lot.ts';
import type { LotMethod } from './tax-lot.ts';

/** The lots of one position in the order in which a sale closes them. */
export function pickOrder(
  lots: readonly KeptLot[],
  method: LotMethod,
  names: readonly string[],
): readonly KeptLot[] {
  switch (method) {
    case 'fifo':
      return lots.toSorted(oldestFirst);
    case 'lifo':
      return lots.toReversed().toSorted((left, right) => oldestFirst(right, left));
    case 'highest_cost':
      return lots.toSorted(
        (left, right) => costPerUnit(right) - costPerUnit(left) || oldestFirst(left, right),
      );
    case 'specific': {
      const named = names.flatMap((name) => lots.filter(({ trade }) => trade === name));
      return [...new Set([...named, ...lots.toSorted(oldestFirst)])];
    }
  }
}

function oldestFirst(left: KeptLot, right: KeptLot): number {
  return left.openedOn < right.openedOn ? -1 : left.openedOn > right.openedOn ? 1 : 0;
}

/** The gain of a short lot is lowest for the one that brought least. */
function costPerUnit({ side, basis, costs, units }: KeptLot): number {
  return side === 'long' ? (basis + costs) / units : (costs - basis) / units;
}
