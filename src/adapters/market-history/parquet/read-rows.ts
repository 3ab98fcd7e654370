// Rows of several files as columns, oldest first. A bar that was written again later stands with its newest numbers.
import type { HistoryRange } from '#ports/market-history.ts';
import { DAY_MS } from '#units/instant.ts';
import { BAR_COLUMNS } from './bar-columns.ts';
import { type ParquetFile, readColumn, type StoredRowGroup } from './parquet-file.ts';

export type Rows = {
  readonly closedAt: Float64Array;
  /** In the places of BAR_COLUMNS; those not wanted are empty. */
  readonly columns: readonly Float64Array[];
  /** The trading day of the last row, as a number. */
  readonly lastDay: number | null;
};

type Placed = { readonly parquet: ParquetFile; readonly group: StoredRowGroup };

export function readRows(
  files: readonly { readonly parquet: ParquetFile }[],
  wanted: readonly number[],
  { asOf, knownAt, first }: HistoryRange,
): Rows {
  const groups = files
    .flatMap(({ parquet }) => parquet.rowGroups.map((group): Placed => ({ parquet, group })))
    .filter((placed) => knownAt === undefined || firstOf(placed, BAR_COLUMNS.knownAt) <= knownAt);
  const count = groups.reduce((sum, { group }) => sum + group.rows, 0);
  const [days, offsets] = [scratch(0, count), scratch(1, count)];
  read(groups, BAR_COLUMNS.date, days);
  read(groups, BAR_COLUMNS.closeOffsetMs, offsets);
  const closedAt = emptyColumn(count);
  let isAscending = true;
  let before = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const at = days[i]! * DAY_MS + offsets[i]!;
    if (at <= before) isAscending = false;
    closedAt[i] = before = at;
  }
  const order = isAscending ? null : orderOf(closedAt);
  const rowAt = (place: number) => (order === null ? place : order[place]!);
  let end = Math.min(order?.length ?? count, first ?? Infinity);
  const latest = asOf ?? Number.POSITIVE_INFINITY;
  while (end > 0 && closedAt[rowAt(end - 1)]! > latest) end--;
  const pick = (column: Float64Array) => {
    if (order !== null) return Float64Array.from(order.slice(0, end), (row) => column[row]!);
    return end === column.length ? column : column.slice(0, end);
  };
  const lastDay = end === 0 ? null : days[rowAt(end - 1)]!;
  const columns = Object.values(BAR_COLUMNS).map((column) => {
    if (!wanted.includes(column)) return new Float64Array(0);
    const values = emptyColumn(count);
    read(groups, column, values);
    return pick(values);
  });
  return { closedAt: pick(closedAt), columns, lastDay };
}

function read(groups: readonly Placed[], column: number, values: Float64Array): void {
  let start = 0;
  for (const { parquet, group } of groups) {
    readColumn(parquet, { group, column }, values, start);
    start += group.rows;
  }
}

function firstOf({ parquet, group }: Placed, column: number): number {
  const values = new Float64Array(group.rows);
  readColumn(parquet, { group, column }, values);
  return values[0]!;
}

/** The rows to give out, oldest first, each close once with its newest numbers. */
function orderOf(closedAt: Float64Array): readonly number[] {
  const newest = new Map<number, number>();
  for (let i = 0; i < closedAt.length; i++) newest.set(closedAt[i]!, i);
  return [...newest.values()].sort((left, right) => closedAt[left]! - closedAt[right]!);
}

/** Not cleared, because every number of it is written: clearing would take as long as reading. */
function emptyColumn(count: number): Float64Array {
  return new Float64Array(Buffer.allocUnsafeSlow(count * 8).buffer);
}

const SCRATCH: Float64Array[] = [];

/** Memory for what only this file sees, kept from read to read. */
function scratch(place: number, count: number): Float64Array {
  const kept = SCRATCH[place];
  if (kept !== undefined && kept.length >= count) return kept;
  return (SCRATCH[place] = new Float64Array(count));
}
