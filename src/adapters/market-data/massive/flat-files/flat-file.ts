// The vendor's files of one day: a row for each ticker and bar, in the order of tickers, with the begin of the bar in nanoseconds.
// Prices are as traded. Files of minutes have those before the opening and after the close too.
import { session } from '#engine/market/calendar.ts';
import { type IsoDate, utcDate } from '#units/instant.ts';

export type FlatInterval = '1d' | '1m';

const HEADER = 'ticker,volume,open,close,high,low,window_start,transactions';

export function isFlatFile(text: string): boolean {
  return text.startsWith(HEADER);
}

export type FlatRows = {
  /** The same file, with the rows that are wanted. */
  readonly text: string;
  /** Rows of wanted tickers outside of the session. */
  readonly outside: number;
};

/** `tickers`: null for all. A row whose time is no number is kept, so that whoever reads it names it. */
export function wantedRows(
  text: string,
  { tickers, interval }: { readonly tickers: ReadonlySet<string> | null; readonly interval: FlatInterval },
): FlatRows {
  const lines = text.split(/\r?\n/);
  const kept = [HEADER];
  let outside = 0;
  for (const line of lines.slice(1)) {
    const ticker = line.slice(0, line.indexOf(','));
    if (ticker === '' || tickers?.has(ticker) === false) continue;
    if (interval === '1m' && isOutside(line)) outside += 1;
    else kept.push(line);
  }
  return { text: kept.join('\n'), outside };
}

function isOutside(line: string): boolean {
  const ns = line.split(',')[6] ?? '';
  if (!/^\d{19}$/.test(ns)) return false;
  const at = Number(ns.slice(0, -6));
  const held = session('us-equity', utcDate(at as Parameters<typeof utcDate>[0]));
  return held === null || at < held.opensAt || at >= held.closesAt;
}

/** Where the file of a day lies, below the bucket. */
export function flatFilePath(date: IsoDate, interval: FlatInterval): string {
  const [year, month] = date.split('-');
  return `us_stocks_sip/${FOLDERS[interval]}/${year}/${month}/${date}.csv.gz`;
}

const FOLDERS: { readonly [Interval in FlatInterval]: string } = {
  '1d': 'day_aggs_v1',
  '1m': 'minute_aggs_v1',
};
