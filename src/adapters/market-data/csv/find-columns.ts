// Identifies the columns by the header's names or, without a header, by their contents.
import { readNumber } from './cell-number.ts';
import type { TableRow } from './csv-table.ts';
import { findTimeFormat } from './time-format.ts';

export type Columns = {
  readonly time: number;
  /** A second column with the time of day, for files that separate date and time. */
  readonly clock: number | null;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number | null;
  readonly symbol: number | null;
  readonly adjustedClose: number | null;
};

type FoundColumns =
  | { readonly ok: true; readonly header: boolean; readonly columns: Columns }
  | { readonly ok: false; readonly message: string };

export function findColumns(rows: readonly TableRow[]): FoundColumns {
  const first = rows[0];
  if (!first) return { ok: false, message: 'the file is empty' };
  const named = first.cells.map((cell) => NAMES[cell.toLowerCase().replaceAll(/[^a-z]/g, '')] ?? null);
  if (named.some((name) => name !== null)) return byName(first, named);
  if (first.cells.some((cell) => typeof readNumber(cell) === 'number')) return byContent(rows);
  return {
    ok: false,
    message: `line ${first.line}: the header (${first.cells.join(', ')}) names no column that is known; needed are date, open, high, low, close`,
  };
}

type Name = keyof Columns;

const NAMES: Readonly<Record<string, Name>> = {
  date: 'time',
  datetime: 'time',
  timestamp: 'time',
  day: 'time',
  dtyyyymmdd: 'time',
  opentime: 'time',
  unix: 'time',
  windowstart: 'time',
  time: 'clock',
  open: 'open',
  o: 'open',
  openprice: 'open',
  high: 'high',
  h: 'high',
  highprice: 'high',
  low: 'low',
  l: 'low',
  lowprice: 'low',
  close: 'close',
  c: 'close',
  closeprice: 'close',
  closelast: 'close',
  last: 'close',
  adjclose: 'adjustedClose',
  adjustedclose: 'adjustedClose',
  closeadj: 'adjustedClose',
  volume: 'volume',
  vol: 'volume',
  v: 'volume',
  symbol: 'symbol',
  ticker: 'symbol',
  name: 'symbol',
};

function byName(header: TableRow, named: readonly (Name | null)[]): FoundColumns {
  const place = (name: Name) => (named.includes(name) ? named.indexOf(name) : null);
  const clock = place('clock');
  const time = place('time') ?? clock;
  const found = { time, open: place('open'), high: place('high'), low: place('low'), close: place('close') };
  const missing = Object.entries(found).filter(([, index]) => index === null);
  if (missing.length > 0) {
    const names = missing.map(([name]) => (name === 'time' ? 'date' : name)).join(', ');
    return { ok: false, message: `line ${header.line}: the header has no column for ${names}` };
  }
  const columns = {
    ...(found as { time: number; open: number; high: number; low: number; close: number }),
    clock: clock === time ? null : clock,
    volume: place('volume'),
    symbol: place('symbol'),
    adjustedClose: place('adjustedClose'),
  };
  return { ok: true, header: true, columns };
}

function byContent(rows: readonly TableRow[]): FoundColumns {
  const sample = rows.slice(0, 400);
  const width = Math.max(...sample.map((row) => row.cells.length));
  const columnCells = Array.from({ length: width }, (_, i) => sample.map((row) => row.cells[i] ?? ''));
  const time = columnCells.findIndex((cells) => findTimeFormat(cells.slice(0, 50)) !== null);
  const numeric = columnCells.flatMap((cells, i) => (i !== time && mostlyNumbers(cells) ? [i] : []));
  if (time < 0 || numeric.length < 4) {
    return {
      ok: false,
      message:
        'the file has no header, and its columns are not a date and four prices; add a header line such as date,open,high,low,close,volume',
    };
  }
  const prices = numeric.slice(0, 4);
  const values = sample.map((row) => prices.map((i) => readNumber(row.cells[i])));
  const complete = values.filter((row): row is number[] => row.every((value) => typeof value === 'number'));
  const high = prices[extremeColumn(complete, Math.max)];
  const low = prices[extremeColumn(complete, Math.min)];
  const [open, close] = prices.filter((i) => i !== high && i !== low);
  if (high === undefined || low === undefined || open === undefined || close === undefined) {
    return {
      ok: false,
      message: 'the file has no header, and no column holds the highest and none the lowest price',
    };
  }
  const columns = { time, clock: null, open, high, low, close, symbol: null, adjustedClose: null };
  return { ok: true, header: false, columns: { ...columns, volume: numeric[4] ?? null } };
}

/** The column that most often holds its row's extreme value. */
function extremeColumn(rows: readonly (readonly number[])[], pick: (...values: number[]) => number): number {
  const wins = [0, 0, 0, 0];
  for (const row of rows) {
    const extreme = pick(...row);
    row.forEach((value, i) => {
      if (value === extreme) wins[i] = wins[i]! + 1;
    });
  }
  return wins.indexOf(Math.max(...wins));
}

function mostlyNumbers(cells: readonly string[]): boolean {
  return cells.filter((cell) => typeof readNumber(cell) === 'number').length > cells.length / 2;
}
