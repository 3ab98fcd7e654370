import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export type Column<Row> = {
  readonly key: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures are right-aligned in tabular digits. */
  readonly align?: 'left' | 'right';
};

/**
 * A table with hairlines. On a phone each row becomes two lines: what it is about with its figure, below them the rest with
 * their names. `wide` tables, whose columns are compared with each other, scroll sideways instead.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  wide = false,
}: {
  /** Names the table for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  empty?: ReactNode;
  wide?: boolean;
}) {
  const stacked = !wide && columns.length > 2;
  return (
    <section
      aria-label={caption}
      tabIndex={0}
      className="relative overflow-x-auto rounded-control edge-fade [contain:inline-size]"
    >
      {/* A table that is laid out as a list is still read as a table. */}
      <table className={classNames('w-full text-sm', stacked && 'max-sm:block')}>
        <caption className="sr-only">{caption}</caption>
        <thead className={stacked ? 'max-sm:sr-only' : undefined}>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classNames(CELL, 'border-b font-normal text-ink-faint', side(column))}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={stacked ? 'max-sm:block' : undefined}>
          {rows.map((row) => (
            <Row key={rowKey(row)} row={row} columns={columns} stacked={stacked} />
          ))}
          {rows.length === 0 && empty && (
            <tr>
              <td colSpan={columns.length} className="py-10 text-center text-ink-soft">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function Row<Data>({
  row,
  columns,
  stacked,
}: {
  row: Data;
  columns: readonly Column<Data>[];
  /** On a phone it becomes two lines. */
  stacked: boolean;
}) {
  const figure = columns.findLastIndex(({ align }) => align === 'right');
  return (
    <tr className={classNames('border-b last:border-0', stacked && STACKED_ROW)}>
      {columns.map((column, place) => (
        <td key={column.key} className={classNames(CELL, side(column), stacked && lineOf(place, figure))}>
          {stacked && place !== 0 && place !== figure && (
            <span className="mr-1.5 font-sans text-ink-faint sm:hidden" aria-hidden="true">
              {column.header}
            </span>
          )}
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** The second line begins after a break as wide as the row. */
const STACKED_ROW =
  'max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:py-3 max-sm:before:order-2 max-sm:before:basis-full';

const CELL = 'px-3 py-2.5 whitespace-nowrap first:pl-0 last:pr-0';

function side<Row>(column: Column<Row>): string {
  return column.align === 'right' ? 'figures text-right' : 'text-left';
}

/** On a phone: the first cell and the last figure share the first line, all others follow on the second. */
function lineOf(place: number, figure: number): string {
  if (place === 0) return 'max-sm:order-1 max-sm:min-w-0 max-sm:flex-1 max-sm:p-0 max-sm:whitespace-normal';
  if (place === figure) return 'max-sm:order-1 max-sm:p-0 max-sm:text-right';
  return 'max-sm:order-3 max-sm:p-0 max-sm:text-left max-sm:text-xs max-sm:whitespace-normal max-sm:text-ink-soft';
}
