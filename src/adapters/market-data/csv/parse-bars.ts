// Parses bars from a text file. A bad row is reported with its line number and refused, never repaired.
import { hours } from '#engine/market/calendar.ts';
import type { Bar, BarInterval, CalendarId } from '#engine/market/instrument.ts';
import type { IsoDate } from '#units/instant.ts';
import { barOf, type BarContext, type RowContext } from './bar-of-row.ts';
import { readNumber } from './cell-number.ts';
import { readTable, type TableRow } from './csv-table.ts';
import { type Columns, findColumns } from './find-columns.ts';
import { findInterval, INTERVAL_WORDS } from './find-interval.ts';
import { findTimeFormat, readClock, readTime, type TimeFormat, type WrittenTime } from './time-format.ts';

export type ParseRequest = {
  readonly text: string;
  readonly calendar: CalendarId;
  /** Detected from the spacing of the rows when absent. */
  readonly interval?: BarInterval;
  /** Whether a file means D/M or M/D when no day in it exceeds twelve. */
  readonly slashedDates?: 'M/D/YYYY' | 'D/M/YYYY';
  /** The zone of times without one; by default New York for us-equity, otherwise UTC. */
  readonly zone?: 'utc' | 'new-york';
};

type RefusedRow = { readonly line: number; readonly reason: string };

export type ParsedSeries = {
  /** The symbol in the file's own symbol column, null without such a column. */
  readonly symbol: string | null;
  /** Oldest first, one per closing time. */
  readonly bars: readonly Bar[];
  readonly refused: readonly RefusedRow[];
  /** Exact duplicates of an earlier row; harmless and dropped. */
  readonly repeated: readonly number[];
};

type ParsedBars =
  | { readonly ok: false; readonly message: string }
  | {
      readonly ok: true;
      readonly interval: BarInterval;
      readonly detected: readonly string[];
      readonly priceDecimals: number;
      readonly series: readonly ParsedSeries[];
    };

export function parseBars(request: ParseRequest): ParsedBars {
  const table = readTable(request.text);
  const found = findColumns(table.rows);
  if (!found.ok) return found;
  const { columns, header } = found;
  const rows = header ? table.rows.slice(1) : table.rows;
  if (rows.length === 0) return { ok: false, message: 'the file has a header and no rows' };
  const named = findTimeFormat(rows.map((row) => row.cells[columns.time] ?? ''));
  const format = named === 'ambiguous' ? request.slashedDates : named;
  if (format === null)
    return {
      ok: false,
      message: `line ${rows[0]!.line}: "${rows[0]!.cells[columns.time] ?? ''}" is no date that is known`,
    };
  if (format === undefined)
    return {
      ok: false,
      message: 'the dates could be day/month or month/day: say which with --dates dmy or --dates mdy',
    };

  const context: RowContext = {
    columns,
    format,
    calendar: request.calendar,
    zone: request.zone ?? (request.calendar === 'us-equity' ? 'new-york' : 'utc'),
    priceDivisor: isLean(rows, { header, format, calendar: request.calendar }) ? LEAN_PRICE_SCALE : 1,
    dayOf: memo(
      (date: IsoDate) => hours(request.calendar, date),
      (date) => date,
    ),
  };
  const times = rows.map(
    memo(
      (row: TableRow) => timeOf(row, context),
      (row) => timeCells(row, columns),
    ),
  );
  const spacing = findInterval(times, context, request.interval);
  if (typeof spacing !== 'string') return { ok: false, message: spacing.message };
  const series = collect(rows, times, { ...context, interval: spacing });
  const detected = [
    header ? 'header' : 'no header',
    `delimiter ${table.delimiter === '\t' ? 'tab' : `"${table.delimiter}"`}`,
    `dates ${format}`,
    INTERVAL_WORDS[spacing],
    ...(isNewestFirst(times) ? ['newest first'] : []),
    ...(context.priceDivisor === 1 ? [] : ['prices in ten-thousandths, as LEAN writes them']),
    ...(columns.adjustedClose === null ? [] : ['adjusted close left out: prices are kept as traded']),
    ...(columns.volume === null ? ['no volume column: volume is 0'] : []),
  ];
  return { ok: true, interval: spacing, detected, priceDecimals: decimalsOf(rows, context), series };
}

function collect(
  rows: readonly TableRow[],
  times: readonly (WrittenTime | null)[],
  context: BarContext,
): ParsedSeries[] {
  type Growing = {
    symbol: string | null;
    bars: Map<number, { bar: Bar; line: number }>;
    refused: RefusedRow[];
    repeated: number[];
  };
  const bySymbol = new Map<string | null, Growing>();
  rows.forEach((row, i) => {
    const symbol =
      context.columns.symbol === null ? null : (row.cells[context.columns.symbol] ?? '').toUpperCase();
    let own = bySymbol.get(symbol);
    if (!own) bySymbol.set(symbol, (own = { symbol, bars: new Map(), refused: [], repeated: [] }));
    const bar = barOf(row, times[i]!, context);
    if (typeof bar === 'string') return void own.refused.push({ line: row.line, reason: bar });
    const earlier = own.bars.get(bar.closedAt);
    if (!earlier) own.bars.set(bar.closedAt, { bar, line: row.line });
    else if (sameBar(earlier.bar, bar)) own.repeated.push(row.line);
    else
      own.refused.push({
        line: row.line,
        reason: `${bar.date} was already on line ${earlier.line} with other numbers`,
      });
  });
  return [...bySymbol.values()].map((own) => ({
    ...own,
    bars: [...own.bars.values()].map(({ bar }) => bar).toSorted((a, b) => a.closedAt - b.closedAt),
  }));
}

function timeCells({ cells }: TableRow, columns: Columns): string {
  return `${cells[columns.time] ?? ''} ${columns.clock === null ? '' : (cells[columns.clock] ?? '')}`;
}

function timeOf(row: TableRow, { columns, format }: RowContext): WrittenTime | null {
  const time = readTime(row.cells[columns.time] ?? '', format);
  if (time === null || columns.clock === null) return time;
  const clock = readClock(row.cells[columns.clock] ?? '');
  return clock && { date: time.date, ...clock };
}

/** LEAN's daily equity files: no header, 'YYYYMMDD HH:MM', prices as whole ten-thousandths of a dollar. */
function isLean(
  rows: readonly TableRow[],
  { header, format, calendar }: { header: boolean; format: TimeFormat; calendar: CalendarId },
): boolean {
  if (header || format !== 'YYYYMMDD' || calendar !== 'us-equity') return false;
  return rows
    .slice(0, 50)
    .every(
      ({ cells }) =>
        /^\d{8} \d{2}:\d{2}$/.test(cells[0] ?? '') &&
        cells.slice(1, 5).every((cell) => /^\d{3,}$/.test(cell)),
    );
}

/** Decimals that the prices of the file actually use, 2 to 6. */
function decimalsOf(rows: readonly TableRow[], { columns, priceDivisor }: RowContext): number {
  let most = 2;
  for (const { cells } of rows) {
    const value = readNumber(cells[columns.close]);
    if (typeof value !== 'number') continue;
    const text = String(value / priceDivisor);
    most = Math.max(most, text.includes('e') ? 6 : (text.split('.')[1]?.length ?? 0));
  }
  return Math.min(most, 6);
}

function isNewestFirst(times: readonly (WrittenTime | null)[]): boolean {
  const known = times.filter((time) => time !== null);
  return known.length > 1 && known[0]!.date > known.at(-1)!.date;
}

function sameBar(left: Bar, right: Bar): boolean {
  return (['open', 'high', 'low', 'close', 'volume'] as const).every((name) => left[name] === right[name]);
}

const LEAN_PRICE_SCALE = 10_000;

/** Files repeat the same dates for every symbol: each date is computed once. */
function memo<Input, Output>(
  work: (input: Input) => Output,
  keyOf: (input: Input) => string,
): (input: Input) => Output {
  const done = new Map<string, Output>();
  return (input) => {
    const key = keyOf(input);
    const found = done.get(key);
    if (found !== undefined) return found;
    const made = work(input);
    done.set(key, made);
    return made;
  };
}
