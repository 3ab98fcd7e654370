// Real series and independent results from the `shared` folder next to the project, for tests that use them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Symbol } from '#units/identifiers.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';

export const SHARED = path.resolve(import.meta.dirname, '../../../shared');

export type SharedSeries = { readonly series: BarSeries; readonly dates: readonly string[] };

export function readSharedText(name: string): string {
  const bytes = readFileSync(path.join(SHARED, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** The named file of independent results, or null where the folder is absent. */
export function readVectors<T>(file: string): T | null {
  if (!existsSync(path.join(SHARED, 'vectors', file))) return null;
  return JSON.parse(readSharedText(`vectors/${file}`)) as T;
}

/** 'folder/file.csv', with '#symbol=X' or '#from..to' narrowing its rows, oldest first. */
export function readSharedSeries(data: string): SharedSeries {
  const [name = '', part = ''] = data.split('#');
  const [header = '', ...lines] = readSharedText(`data/${name}`)
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  const names = header.toLowerCase().split(',');
  const at = (...wanted: string[]) => names.findIndex((one) => wanted.includes(one));
  const columns = {
    date: at('date', 'time', 'timestamp', 'datetime'),
    symbol: at('symbol', 'name', 'ticker'),
    prices: ['open', 'high', 'low', 'close', 'volume'].map((one) => at(one)),
  };
  const symbol = /^symbol=(.+)$/.exec(part)?.[1];
  const range = /^(.+)\.\.(.+)$/.exec(part);
  const rows = lines
    .map((line) => line.split(','))
    .map((cells) => ({ cells, date: isoDate(cells[columns.date]!) }))
    .filter(({ cells, date }) => {
      if (symbol !== undefined && cells[columns.symbol] !== symbol) return false;
      return range === null || (date >= range[1]! && date.slice(0, 10) <= range[2]!);
    })
    .sort((left, right) => (left.date < right.date ? -1 : left.date > right.date ? 1 : 0));
  const column = (k: number) => {
    const index = columns.prices[k]!;
    return Float64Array.from(rows, ({ cells }) => (index < 0 ? 0 : Number(cells[index])));
  };
  return {
    dates: rows.map(({ date }) => date),
    series: {
      symbol: (symbol ?? 'AAA') as Symbol,
      interval: '1d',
      length: rows.length,
      closedAt: Float64Array.from(rows, ({ date }) =>
        Date.parse(date.length === 10 ? `${date}T21:00Z` : `${date}Z`),
      ),
      open: column(0),
      high: column(1),
      low: column(2),
      close: column(3),
      volume: column(4),
    },
  };
}

function isoDate(text: string): string {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (american) return `${american[3]}-${american[1]!.padStart(2, '0')}-${american[2]!.padStart(2, '0')}`;
  return text
    .replace(' ', 'T')
    .replace(/Z$/, '')
    .slice(0, text.length > 10 ? 16 : 10);
}
