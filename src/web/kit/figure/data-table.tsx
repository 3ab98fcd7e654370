import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export type Column<Row> = {
  readonly key: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures are right-aligned in tabular digits. */
  readonly align?: 'left' | 'right';
  /** Stands beside the first cell where there is little room; without one, the last figure does. */
  readonly leads?: true;
};

/**
 * A table with hairlines. Where it has too little room, each row becomes two lines: what it is about with its figure, below them the rest
 * with their names (`stacked` in styles.css). `wide` tables, whose columns are compared with each other, scroll sideways instead.
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
      className={classNames(
        'relative overflow-x-auto rounded-control edge-fade',
        columns.length < MANY
          ? '[container:few-columns/inline-size]'
          : '[container:many-columns/inline-size]',
      )}
    >
      {/* A table that is laid out as a list is still read as a table. */}
      <table className={classNames('w-full text-sm', stacked && 'stacked:block')}>
        <caption className="sr-only">{caption}</caption>
        <thead className={stacked ? 'stacked:sr-only' : undefined}>
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
        <tbody className={stacked ? 'stacked:block' : undefined}>
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
  /** Where there is little room it becomes two lines. */
  stacked: boolean;
}) {
  const leading = columns.findIndex(({ leads }) => leads);
  const figure = leading === -1 ? columns.findLastIndex(({ align }) => align === 'right') : leading;
  return (
    <tr className={classNames('border-b last:border-0', stacked && STACKED_ROW)}>
      {columns.map((column, place) => (
        <td key={column.key} className={classNames(CELL, side(column), stacked && lineOf(place, figure))}>
          {stacked && place !== 0 && place !== figure && (
            <span className="mr-1.5 hidden font-sans text-ink-faint stacked:inline" aria-hidden="true">
              {column.header}
            </span>
          )}
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Columns that a tablet has no room for. */
const MANY = 5;

/** The second line begins after a break as wide as the row. */
const STACKED_ROW =
  'stacked:flex stacked:flex-wrap stacked:items-baseline stacked:gap-x-3 stacked:gap-y-0.5 stacked:py-3 stacked:before:order-2 stacked:before:basis-full';

const CELL = 'px-3 py-2.5 whitespace-nowrap first:pl-0 last:pr-0';

function side<Row>(column: Column<Row>): string {
  return column.align === 'right' ? 'figures text-right' : 'text-left';
}

/** Stacked: the first cell and the leading figure share the first line, all others follow on the second. */
function lineOf(place: number, figure: number): string {
  if (place === 0)
    return 'stacked:order-1 stacked:min-w-0 stacked:flex-1 stacked:p-0 stacked:whitespace-normal';
  if (place === figure) return 'stacked:order-1 stacked:p-0 stacked:text-right';
  return 'stacked:order-3 stacked:p-0 stacked:text-left stacked:text-xs stacked:whitespace-normal stacked:text-ink-soft';
}
