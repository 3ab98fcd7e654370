import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export type Column<Row> = {
  readonly key: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures are right-aligned in tabular digits. */
  readonly align?: 'left' | 'right';
};

/** A table with hairlines. It scrolls sideways inside itself where the screen is narrow, by touch and by keyboard. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
}: {
  /** Names the table for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  empty?: ReactNode;
}) {
  return (
    <section
      aria-label={caption}
      tabIndex={0}
      className="relative overflow-x-auto rounded-control edge-fade [contain:inline-size]"
    >
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
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
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b last:border-0">
              {columns.map((column) => (
                <td key={column.key} className={classNames(CELL, side(column))}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
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

const CELL = 'px-3 py-2.5 whitespace-nowrap first:pl-0 last:pr-0';

function side<Row>(column: Column<Row>): string {
  return column.align === 'right' ? 'figures text-right' : 'text-left';
}
