// Massive's files of bars into the history: the files of a month or a year are read, and then each series is written once, so that
// it has few row groups. What was written stays when a fetch is stopped; the next one goes on after it.
import {
  type FlatInterval,
  isFlatFile,
  wantedRows,
} from '#adapters/market-data/massive/flat-files/flat-file.ts';
import type { FlatFiles } from '#adapters/market-data/massive/flat-files/flat-file-store.ts';
import { parseBars } from '#adapters/market-data/csv/parse-bars.ts';
import { isTradingDay } from '#engine/market/calendar.ts';
import type { Bar } from '#engine/market/instrument.ts';
import type { Tickers } from '#engine/market/tickers.ts';
import { splitOffContradictions } from '#engine/market-data/contradicting-bars.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import { listHistoryFiles } from '#records/market/history-heads.ts';
import type { BarSource } from '#records/market/instruments.ts';
import { historyFaultReason } from '#rules/reasons/history-reason.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate } from '#units/instant.ts';
import { showContradictions } from './show-history.ts';
import { HistoryStop, type HistoryTools, writeHistory } from './write-history.ts';

export type FlatFetch = HistoryTools & {
  readonly files: FlatFiles;
  readonly source: BarSource;
  /** Shares of the market. */
  readonly symbols: readonly Symbol[];
  readonly tickers: Tickers;
  readonly interval: FlatInterval;
  /** Null: the day after the last one that every series has. */
  readonly from: IsoDate | null;
  readonly to: IsoDate;
  readonly now: () => Instant;
  readonly say: (line: string) => void;
};

/** Answers whether every file was there and every row could be stored. */
export async function fetchFlatFiles(asked: FlatFetch): Promise<boolean> {
  const { symbols, interval, to, say } = asked;
  if (symbols.length === 0) throw new HistoryStop('this market has no shares yet: start the product once');
  const from = asked.from ?? (await nextDay(asked));
  const newest = new Map<Symbol, Bar>();
  let isWhole = true;
  for (const days of chunksOf(from, to, interval)) {
    const read = await readDays(asked, days);
    isWhole &&= read.isWhole;
    const sum = { added: 0, same: 0, revised: 0 };
    for (const [symbol, bars] of read.bars) {
      const before = newest.get(symbol);
      const written = await writeSeries(asked, symbol, {
        bars,
        before: before === undefined ? [] : [before],
      });
      isWhole &&= written.isWhole;
      sum.added += written.added;
      sum.same += written.same;
      sum.revised += written.revised;
      newest.set(symbol, bars.at(-1)!);
    }
    say(
      `${days[0]} to ${days.at(-1)}: ${read.files} of ${days.length} files, ${read.bars.size} of ${symbols.length} shares, ` +
        `${sum.added} bars added, ${sum.same} already stored, ${sum.revised} revised` +
        (read.outside === 0 ? '' : `, ${read.outside} minutes outside of the session left out`),
    );
    if (read.stop !== null) throw new HistoryStop(`${read.stop}. What was written stays: fetch again later`);
  }
  return isWhole;
}

type ReadDays = {
  readonly bars: ReadonlyMap<Symbol, Bar[]>;
  readonly files: number;
  readonly outside: number;
  readonly isWhole: boolean;
  /** Why no further file can be read. */
  readonly stop: string | null;
};

async function readDays(asked: FlatFetch, days: readonly IsoDate[]): Promise<ReadDays> {
  const { files: fileOf, interval, say, symbols, tickers } = asked;
  const bars = new Map<Symbol, Bar[]>();
  const missing: IsoDate[] = [];
  let [files, outside, isWhole] = [0, 0, true];
  let stop: string | null = null;
  for (const date of days) {
    const answer = await fileOf(date, interval);
    if (!answer.ok) {
      stop = `${date}: ${answer.message}`;
      break;
    }
    if (answer.value === null) {
      missing.push(date);
      continue;
    }
    const symbolOf = new Map(symbols.map((symbol) => [tickers.tickerOn(symbol, date), symbol]));
    const read = readFile(answer.value, { interval, tickers: new Set(symbolOf.keys()), date });
    files += 1;
    outside += read.outside;
    for (const fault of read.faults) say(`${date}: ${fault}`);
    isWhole &&= read.faults.length === 0;
    for (const [ticker, own] of read.series) {
      const symbol = symbolOf.get(ticker)!;
      bars.set(symbol, [...(bars.get(symbol) ?? []), ...own]);
    }
  }
  if (missing.length > 0)
    say(
      `there is no file of ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more days` : ''}`,
    );
  return { bars, files, outside, isWhole: isWhole && missing.every((date) => date === asked.to), stop };
}

function readFile(
  text: string,
  {
    interval,
    tickers,
    date,
  }: { readonly interval: FlatInterval; readonly tickers: ReadonlySet<string>; readonly date: IsoDate },
) {
  const series = new Map<string, readonly Bar[]>();
  const faults: string[] = [];
  if (!isFlatFile(text))
    return { series, faults: ['the file does not begin with the columns of a flat file'], outside: 0 };
  const rows = wantedRows(text, { tickers, interval });
  if (!rows.text.includes('\n')) return { series, faults, outside: rows.outside };
  const parsed = parseBars({ text: rows.text, calendar: 'us-equity', interval });
  if (!parsed.ok) return { series, faults: [parsed.message], outside: rows.outside };
  for (const { symbol: ticker, bars, refused } of parsed.series) {
    if (ticker === null) continue;
    const own = bars.filter((bar) => bar.date === date);
    if (own.length < bars.length) faults.push(`${ticker} has bars of another day, which are not stored`);
    for (const { reason } of refused) faults.push(`${ticker} is not stored: ${reason}`);
    if (own.length > 0) series.set(ticker, own);
  }
  return { series, faults, outside: rows.outside };
}

async function writeSeries(
  asked: FlatFetch,
  symbol: Symbol,
  { bars, before }: { readonly bars: readonly Bar[]; readonly before: readonly Bar[] },
) {
  const { database, source, interval, now, say } = asked;
  const actions = await listCorporateActions(database, symbol);
  const { accepted, contradicting } = splitOffContradictions(bars, { before, actions });
  for (const line of showContradictions(symbol, contradicting)) say(`  ${line}`);
  const written = await writeHistory(asked, { symbol, interval, source }, { bars: accepted, knownAt: now() });
  const { added, same, revised } = written;
  return { added, same, revised: revised.length, isWhole: contradicting.length === 0 };
}

async function nextDay({ database, store, source, symbols, interval }: FlatFetch): Promise<IsoDate> {
  let least: IsoDate | null = null;
  for (const symbol of symbols) {
    const files = await listHistoryFiles(database, { source, interval, symbols: [symbol] });
    const read = store.bars(files);
    if (!read.ok) throw new HistoryStop(historyFaultReason(read.fault));
    const last = read.value.at(-1)?.date;
    if (last === undefined)
      throw new HistoryStop(`nothing is stored of ${symbol}: say from which day on with --from DATE`);
    if (least === null || last < least) least = last;
  }
  return addDays(least!, 1);
}

/** Trading days by the year, of minutes by the month. */
function chunksOf(from: IsoDate, to: IsoDate, interval: FlatInterval): IsoDate[][] {
  const chunks = new Map<string, IsoDate[]>();
  for (let date = from; date <= to; date = addDays(date, 1)) {
    if (!isTradingDay('us-equity', date)) continue;
    const key = date.slice(0, interval === '1d' ? 4 : 7);
    const own = chunks.get(key) ?? [];
    own.push(date);
    chunks.set(key, own);
  }
  return [...chunks.values()];
}
