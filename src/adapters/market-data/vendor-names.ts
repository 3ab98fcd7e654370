// Our symbols and the vendor's tickers of today: what is asked of the vendor is a ticker, what it answers is about a symbol.
import type { InstrumentFact } from '#engine/market/instrument-fact.ts';
import { tickerDate, type Tickers, tickersOf } from '#engine/market/tickers.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant, type IsoDate } from '#units/instant.ts';
import type { FactBook } from '#ports/market-data.ts';

export type Naming = {
  /** The instruments that the market has, by our symbols. */
  readonly symbols: readonly string[];
  /** The tickers of those that are not called like their symbols, for when no fact of them is known yet. */
  readonly firstTickers?: Readonly<Record<string, string>>;
  /** What was learned of them; absent where nothing is kept. */
  readonly book?: FactBook;
};

export type VendorNames = {
  /** Of the market. */
  readonly symbols: readonly Symbol[];
  readonly refresh: () => Promise<void>;
  readonly facts: () => readonly InstrumentFact[];
  readonly tickers: () => Tickers;
  readonly tickerOf: (symbol: Symbol) => string;
  /** In New York. */
  readonly today: () => IsoDate;
};

export function vendorNames({ symbols, book, firstTickers = {} }: Naming, now: () => number): VendorNames {
  const given = (symbols as readonly Symbol[]).map(
    (symbol) => ({ symbol, kind: 'ticker', value: firstTickers[symbol] ?? symbol, from: EVER }) as const,
  );
  const facts = () => book?.facts() ?? [];
  let read: { readonly of: readonly InstrumentFact[]; readonly tickers: Tickers } | null = null;
  const tickers = () => {
    const of = facts();
    // What the settings say counts for a new instrument, of which no fact is known.
    const known = new Set(of.flatMap(({ symbol, kind }) => (kind === 'ticker' ? [symbol] : [])));
    if (read?.of !== of || book === undefined)
      read = { of, tickers: tickersOf([...given.filter(({ symbol }) => !known.has(symbol)), ...of]) };
    return read.tickers;
  };
  return {
    symbols: symbols as readonly Symbol[],
    refresh: async () => book?.refresh(),
    facts,
    tickers,
    tickerOf: (symbol) => tickers().tickerOn(symbol, tickerDate(instant(now()))),
    today: () => tickerDate(instant(now())),
  };
}

const EVER = '0001-01-01' as IsoDate;
