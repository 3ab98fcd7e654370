// Parses splits and dividends from a file: either 'date,ratio' lines, or a LEAN factor file, whose factors are
// converted back into the events behind them.
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import { readNumber } from './cell-number.ts';
import { readTable, type TableRow } from './csv-table.ts';
import { findTimeFormat, readTime, type TimeFormat } from './time-format.ts';

type ParsedActions =
  | { readonly ok: true; readonly actions: readonly CorporateAction[] }
  | { readonly ok: false; readonly message: string };

export function parseCorporateActions(text: string): ParsedActions {
  const rows = readTable(text).rows.filter((row, i) => i > 0 || /\d/.test(row.cells[0] ?? ''));
  if (rows.length === 0)
    return { ok: false, message: 'the splits file has no rows; a row is date,ratio such as 2014-06-09,7:1' };
  const format = findTimeFormat(rows.map((row) => row.cells[0] ?? ''));
  if (format === null || format === 'ambiguous')
    return { ok: false, message: 'the dates of the splits file cannot be read; write them as YYYY-MM-DD' };
  return rows.every((row) => row.cells.length === 4 && format === 'YYYYMMDD')
    ? fromLeanFactors(rows, format)
    : fromRatios(rows, format);
}

function fromRatios(rows: readonly TableRow[], format: TimeFormat): ParsedActions {
  const actions: CorporateAction[] = [];
  for (const row of rows) {
    const time = readTime(row.cells[0] ?? '', format);
    const ratio = readRatio(row.cells[1] ?? '');
    if (time === null)
      return {
        ok: false,
        message: `line ${row.line} of the splits file: "${row.cells[0] ?? ''}" is not a date`,
      };
    if (ratio === null)
      return {
        ok: false,
        message: `line ${row.line} of the splits file: "${row.cells[1] ?? ''}" is not a ratio such as 7:1 or 0.05`,
      };
    actions.push({ kind: 'split', exDate: time.date, amount: ratio });
  }
  return { ok: true, actions };
}

/** New shares per old: '7:1', '7/1', '7 for 1' or '7'. */
function readRatio(cell: string): number | null {
  const [top, bottom, ...more] = cell.split(/\s*(?::|\/|for)\s*/i).map((part) => readNumber(part));
  if (more.length > 0 || typeof top !== 'number' || top <= 0) return null;
  if (bottom === undefined) return top;
  return typeof bottom === 'number' && bottom > 0 ? top / bottom : null;
}

/**
 * LEAN: a row holds for all days up to and including its date since the row before; from one row to the next the
 * split factor grows by the split's ratio, and the price factor by close / (close - dividend).
 */
function fromLeanFactors(rows: readonly TableRow[], format: TimeFormat): ParsedActions {
  const actions: CorporateAction[] = [];
  for (let i = 0; i + 1 < rows.length; i++) {
    const row = rows[i]!;
    const time = readTime(row.cells[0] ?? '', format);
    const numbers = [...row.cells.slice(1), ...rows[i + 1]!.cells.slice(1, 3)].map((cell) =>
      readNumber(cell),
    );
    if (time === null || !numbers.every((value) => typeof value === 'number'))
      return {
        ok: false,
        message: `line ${row.line} of the factor file is not date,price factor,split factor,price`,
      };
    const [price, split, close, nextPrice, nextSplit] = numbers as [number, number, number, number, number];
    const exDate = nextTradingDay('us-equity', time.date);
    const ratio = nearlyWhole(nextSplit / split);
    if (ratio !== 1) actions.push({ kind: 'split', exDate, amount: ratio });
    const dividend = close * (1 - price / nextPrice);
    if (price !== nextPrice && dividend > 0)
      actions.push({ kind: 'dividend', exDate, amount: Number(dividend.toFixed(4)) });
  }
  return { ok: true, actions };
}

/** Factor files have six digits of precision: 0.25 / 0.0357143 means 7, and 1 / 20 stays 0.05. */
function nearlyWhole(ratio: number): number {
  for (const exact of [Math.round(ratio), 1 / Math.round(1 / ratio)]) {
    if (Number.isFinite(exact) && exact > 0 && Math.abs(ratio / exact - 1) < 2e-5) return exact;
  }
  return Number(ratio.toFixed(6));
}
