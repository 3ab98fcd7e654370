// Which instrument a ticker means on a day. Our symbol is the instrument's key and stays; its ticker changes with a rename, and
// may then be given to another company, which has a symbol of its own.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, HOUR_MS, type Instant, instant, type IsoDate, utcDate } from '#units/instant.ts';
import { factOn, type InstrumentFact } from './instrument-fact.ts';
import type { SecurityChange } from './security-change.ts';

type Days = { readonly from: IsoDate; readonly to: IsoDate };

/** Days, both inclusive, on which an instrument has one ticker. */
export type TickerStretch = Days & { readonly ticker: string };

export type Tickers = {
  /** Of an instrument without a fact: its symbol. */
  tickerOn(symbol: Symbol, date: IsoDate): string;
  /**
   * Null where one of ours has or had the ticker, and on that day it is another company's. One that is listed no more has its
   * ticker until another of ours takes it.
   */
  symbolOn(ticker: string, date: IsoDate): Symbol | null;
  /**
   * As symbolOn, for rows that a vendor still lists under the name of the days before: a former ticker counts for a while,
   * unless another of our instruments has it.
   */
  symbolInList(ticker: string, date: IsoDate): Symbol | null;
  /** Whether it is neither delisted nor without its ticker. */
  isListedOn(symbol: Symbol, date: IsoDate): boolean;
  /** What it was called on each of these days, oldest first. */
  stretchesOf(symbol: Symbol, days: Days): readonly TickerStretch[];
  /** Every ticker that it has had, oldest first. */
  everOf(symbol: Symbol): readonly string[];
};

/** What it was called before our first fact is what that fact says. */
export function tickersOf(facts: readonly InstrumentFact[]): Tickers {
  const named = facts.filter(({ kind }) => kind === 'ticker').toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const bySymbol = Map.groupBy(named, ({ symbol }) => symbol);
  const isOurs = new Set(named.flatMap(({ symbol, value }) => [symbol, value]));
  const tickerOn: Tickers['tickerOn'] = (symbol, date) => {
    const own = bySymbol.get(symbol);
    if (own === undefined) return symbol;
    return (own.findLast(({ from }) => from <= date) ?? own[0]!).value;
  };
  const listings = facts.filter(({ kind }) => kind === 'listing');
  const listingOn = (symbol: Symbol, date: IsoDate) =>
    factOn(listings, { symbol, kind: 'listing', date })?.value ?? 'listed';
  const symbolOn: Tickers['symbolOn'] = (ticker, date) => {
    let ended: Symbol | null = null;
    for (const symbol of bySymbol.keys()) {
      if (tickerOn(symbol, date) !== ticker) continue;
      const listing = listingOn(symbol, date);
      if (listing === 'listed') return symbol;
      if (listing === 'ended') ended ??= symbol;
    }
    return ended ?? (isOurs.has(ticker) ? null : (ticker as Symbol));
  };
  return {
    tickerOn,
    symbolOn,
    isListedOn: (symbol, date) => listingOn(symbol, date) === 'listed',
    symbolInList(ticker, date) {
      const symbol = symbolOn(ticker, date);
      if (symbol !== null && bySymbol.has(symbol)) return symbol;
      const before = addDays(date, -FORMER_DAYS);
      return (
        named.findLast(
          (one) =>
            one.value === ticker &&
            tickerOn(one.symbol, before) === ticker &&
            listingOn(one.symbol, date) !== 'reused',
        )?.symbol ?? symbol
      );
    },
    stretchesOf(symbol, { from, to }) {
      const days = bySymbol.get(symbol)?.map((fact) => fact.from) ?? [];
      const isNew = (day: IsoDate) => tickerOn(symbol, day) !== tickerOn(symbol, addDays(day, -1));
      const starts = [from, ...new Set(days.filter((day) => day > from && day <= to && isNew(day)))];
      return starts.map((start, i) => {
        const next = starts[i + 1];
        return {
          ticker: tickerOn(symbol, start),
          from: start,
          to: next === undefined ? to : addDays(next, -1),
        };
      });
    },
    everOf: (symbol) => [...new Set(bySymbol.get(symbol)?.map(({ value }) => value) ?? [symbol])],
  };
}

/** The tickers that renames give to our instruments, as facts that are not known yet. */
export function renamedTickers(
  facts: readonly InstrumentFact[],
  changes: readonly SecurityChange[],
): readonly InstrumentFact[] {
  const found: InstrumentFact[] = [];
  for (const { symbol, date, event, ticker } of changes.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    if (event !== 'rename' || ticker === undefined) continue;
    // One rename may undo another.
    if (tickersOf([...facts, ...found]).tickerOn(symbol, date) === ticker) continue;
    found.push({ symbol, kind: 'ticker', value: ticker, from: date });
  }
  return found;
}

/** The day by which tickers count: a rename takes effect at midnight in New York, long before and after any trading. */
export function tickerDate(at: Instant): IsoDate {
  return utcDate(instant(at - 5 * HOUR_MS));
}

/** As long as a broker lists ended orders and executions. */
const FORMER_DAYS = 10;
