// Every decision a bar later than it was made: sized at the close of that bar and filled at the open after it. Stops and targets of
// the definition are decisions, too.
import type { TargetTable } from '../../strategy/targets/target-table.ts';

export function delayed(table: TargetTable): TargetTable {
  const rows = table.rows.map((row) => row + 1);
  const count = rows.at(-1) === table.timeline.length ? table.count - 1 : table.count;
  return {
    ...table,
    count,
    rows: rows.subarray(0, count),
    weights: table.weights.subarray(0, count * table.symbols.length),
  };
}
