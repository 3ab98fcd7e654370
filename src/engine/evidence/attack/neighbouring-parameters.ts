// The median Sharpe ratio of the neighbours of its numbers, as a share of its own. A peak that its neighbours do not share was
// found by looking for it.
import { type AttackFinding, judgedByShareKept, notRun } from './attack-result.ts';

/** Sharpe ratios per period over the same days; of neighbours that could not be run, null. */
export function attackByNeighbours(own: number, neighbours: readonly (number | null)[]): AttackFinding {
  if (neighbours.length < LEAST_NEIGHBOURS) return notRun('too_few_neighbours');
  // What the engine refuses earns nothing.
  const sorted = neighbours.map((sharpe) => sharpe ?? 0).toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return judgedByShareKept(own, median);
}

const LEAST_NEIGHBOURS = 4;
