// Rows of several files as columns, oldest first. A bar that was written again later stands with its newest numbers.
import type { HistoryRange } from '#ports/market-history.ts';
import { DAY_MS } from '#units/instant.ts';
import { BAR_COLUMNS } from './bar-columns.ts';
import { type ParquetFile, readColumn, type StoredRowGroup } from './parquet-file.ts';

export type Rows = {
  readonly closedAt: Float64Array;
  /** In the places of BAR_COLUMNS; those not wanted are empty. */
  readonly columns: readonly Float64Array[];
};

type Placed = { readonly parquet: ParquetFile; readonly group: StoredRowGroup };

/** `wanted` must hold the columns of the close. */
export function readRows(
  files: readonly { readonly parquet: ParquetFile }[],
  wanted: readonly number[],
  { asOf, knownAt, first }: HistoryRange,
): Rows {
  const groups = files
    .flatMap(({ parquet }) => parquet.rowGroups.map((group): Placed => ({ parquet, group })))
    .filter((placed) => knownAt === undefined || firstOf(placed, BAR_COLUMNS.knownAt) <= knownAt);
  const count = groups.reduce((sum, { group }) => sum + group.rows, 0);
  const columns = Object.values(BAR_COLUMNS).map((column) =>
    wanted.includes(column) ? read(groups, column, count) : new Float64Array(0),
  );
  const [days, offsets] = [columns[BAR_COLUMNS.date]!, columns[BAR_COLUMNS.closeOffsetMs]!];
  const closedAt = new Float64Array(count);
  let isAscending = true;
  for (let i = 0; i < count; i++) {
    closedAt[i] = days[i]! * DAY_MS + offsets[i]!;
    if (i > 0 && closedAt[i]! <= closedAt[i - 1]!) isAscending = false;
  }
  const rows = isAscending ? { closedAt, columns } : inOrder({ closedAt, columns });
  return asOf === undefined && first === undefined ? rows : until(rows, asOf ?? Infinity, first ?? Infinity);
}

function read(groups: readonly Placed[], column: number, count: number): Float64Array {
  const values = new Float64Array(count);
  let start = 0;
  for (const { parquet, group } of groups) {
    readColumn(parquet, { group, column }, values, start);
    start += group.rows;
  }
  return values;
}

function firstOf({ parquet, group }: Placed, column: number): number {
  const values = new Float64Array(group.rows);
  readColumn(parquet, { group, column }, values);
  return values[0]!;
}

function inOrder({ closedAt, columns }: Rows): Rows {
  const newest = new Map<number, number>();
  for (let i = 0; i < closedAt.length; i++) newest.set(closedAt[i]!, i);
  const order = [...newest.values()].sort((left, right) => closedAt[left]! - closedAt[right]!);
  const pick = (column: Float64Array) =>
    column.length === 0 ? column : Float64Array.from(order, (row) => column[row]!);
  return { closedAt: pick(closedAt), columns: columns.map(pick) };
}

function until({ closedAt, columns }: Rows, asOf: number, first: number): Rows {
  let end = Math.min(closedAt.length, first);
  while (end > 0 && closedAt[end - 1]! > asOf) end--;
  if (end === closedAt.length) return { closedAt, columns };
  return { closedAt: closedAt.slice(0, end), columns: columns.map((column) => column.slice(0, end)) };
}
