// What the commands about the history say: a line for each series, and below it what to know about its bars.
import type { Gap, SeriesJudgement } from '#adapters/market-data/csv/judge-series.ts';
import type { ParsedSeries } from '#adapters/market-data/csv/parse-bars.ts';
import type { Contradiction } from '#engine/market-data/contradicting-bars.ts';
import type { Bar, BarInterval } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS, instantOfDate, type IsoDate } from '#units/instant.ts';
import type { WrittenBars } from './write-history.ts';

type Imported = {
  readonly symbol: Symbol;
  readonly interval: BarInterval;
  readonly bars: readonly Bar[];
  readonly series: ParsedSeries;
  readonly contradicting: readonly Contradiction[];
  readonly written: WrittenBars;
  readonly judgement: SeriesJudgement;
};

/** The first line is about the series, the others about single bars. */
export function showSeries({
  symbol,
  interval,
  bars,
  series,
  contradicting,
  written,
  judgement,
}: Imported): string[] {
  return [
    showWritten({ symbol, interval, bars, written }),
    ...first(series.refused).map(
      ({ line, reason }) =>
        `${symbol}, line ${line}: not stored: ${reason}. Correct the row and import again`,
    ),
    ...more(series.refused),
    ...showContradictions(symbol, contradicting),
    ...showGaps(symbol, judgement.gaps),
    ...judgement.splits.map(
      ({ date, closeBefore, open }) =>
        `${symbol} on ${date}: opens at ${open} after ${closeBefore}, which looks like a split. If it is one, name it with --splits FILE`,
    ),
  ];
}

type Span = { readonly symbol: Symbol; readonly interval: BarInterval; readonly bars: readonly Bar[] };

export function showWritten({
  symbol,
  interval,
  bars,
  written,
}: Span & { readonly written: WrittenBars }): string {
  const { added, same, revised } = written;
  const span = bars.length === 0 ? '' : `, ${bars[0]!.date} to ${bars.at(-1)!.date}`;
  const days = [...new Set(revised)];
  const named = `${days.slice(0, NAMED_MAX).join(', ')}${days.length > NAMED_MAX ? `, and ${days.length - NAMED_MAX} more days` : ''}`;
  const revisions =
    revised.length === 0
      ? ''
      : `, ${counted(revised.length, 'bar')} revised (${named}): the new numbers stand from now on, the old ones are kept`;
  return `${symbol} ${interval}: ${counted(added, 'new bar')}, ${same} known${span}${revisions}`;
}

export function showContradictions(symbol: Symbol, contradicting: readonly Contradiction[]): string[] {
  return [
    ...first(contradicting).map(
      ({ bar, closeBefore }) =>
        `${symbol} on ${bar.date}: not stored: its prices of ${bar.low} to ${bar.high} contradict the close of ${closeBefore} before it, more than tenfold. Correct the bar and import again, or name a split with --splits FILE`,
    ),
    ...more(contradicting),
  ];
}

/** The longest, in order of time. */
export function showGaps(symbol: Symbol, gaps: readonly Gap[]): string[] {
  if (gaps.length === 0) return [];
  const days = gaps.reduce((sum, { tradingDays }) => sum + tradingDays, 0);
  const longest = gaps.toSorted((a, b) => b.tradingDays - a.tradingDays).slice(0, NAMED_MAX);
  const named = gaps
    .filter((gap) => longest.includes(gap))
    .map(({ from, to, tradingDays }) => (from === to ? from : `${from} to ${to} (${tradingDays})`));
  return [
    `${symbol}: ${counted(days, 'trading day')} without a bar: ${named.join(', ')}${gaps.length > NAMED_MAX ? ` and ${gaps.length - NAMED_MAX} more gaps` : ''}`,
  ];
}

export type ImportedEnd = {
  readonly symbol: Symbol;
  readonly interval: BarInterval;
  readonly lastDate: IsoDate;
};

/** Series that end a week or more before the newest of their interval. */
export function showEarlyEnds(ends: readonly ImportedEnd[]): string[] {
  return ends.flatMap(({ symbol, interval, lastDate }) => {
    const newest = ends.reduce<IsoDate>(
      (last, one) => (one.interval === interval && one.lastDate > last ? one.lastDate : last),
      lastDate,
    );
    const days = (instantOfDate(newest) - instantOfDate(lastDate)) / DAY_MS;
    if (days < EARLY_DAYS) return [];
    return [
      `${symbol} ${interval}: its history ends on ${lastDate}, ${days} days before the newest of the others. If it still trades, import or fetch the rest; a backtest holds nothing in it after that day`,
    ];
  });
}

function first<Item>(items: readonly Item[]): readonly Item[] {
  return items.slice(0, NAMED_MAX);
}

function more(items: readonly unknown[]): string[] {
  return items.length > NAMED_MAX ? [`and ${items.length - NAMED_MAX} more like these`] : [];
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const NAMED_MAX = 10;
const EARLY_DAYS = 7;
