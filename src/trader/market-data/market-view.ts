// The market at the start of a tick: its clock, its instruments and the prices that may be decided on.
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Instrument, Marks } from '#engine/market/instrument.ts';
import type { MarketClock, MarketDataFeed, MarketQuote } from '#ports/market-data.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import { saveCorporateActions } from '#records/market/corporate-actions.ts';
import { listNewestBars } from '#records/market/bars.ts';
import { type BarSource, saveInstruments } from '#records/market/instruments.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, type IsoDate, utcDate } from '#units/instant.ts';
import type { KnownPrice } from '#engine/market-data/price-band.ts';
import {
  findBandBreach,
  type QuoteFault,
  quotedDays,
  validateQuote,
} from '#engine/market-data/validate-quote.ts';
import { ratioBetween } from '#engine/market/split-ratio.ts';
import { quoteFaultText } from '#rules/reasons/market-data-fault.ts';

export type MarketView = {
  readonly clock: MarketClock;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  /** When those of what splits or pays were quoted. */
  readonly quotedAt: ReadonlyMap<Symbol, Instant>;
  /** What was asked for and has no quote, or none that is believed. */
  readonly unpriced: readonly Symbol[];
  readonly actions: ReadonlyMap<Symbol, readonly CorporateAction[]>;
  /** Prices that were not believed, each with its reason. */
  readonly refused: readonly string[];
};

export type MarketWatch = {
  /** Throws when the feed does not answer: without a clock and prices nothing is decided. */
  look(): Promise<MarketView>;
};

export function createMarketWatch(feed: MarketDataFeed, database: Database): MarketWatch {
  let instruments: ReadonlyMap<Symbol, Instrument> = new Map();
  const believed = new Map<Symbol, KnownPrice>();
  let actions: MarketView['actions'] = new Map();
  let known = 0;
  let listedOn: IsoDate | null = null;
  const listInstruments = async (clock: MarketClock) => {
    const listed = valueOf(await feed.instruments());
    const fresh = listed.filter(({ symbol }) => !instruments.has(symbol));
    await saveInstruments(database, fresh, sourceOf(clock));
    instruments = new Map([...instruments, ...listed.map((one) => [one.symbol, one] as const)]);
    listedOn = utcDate(clock.now);
  };
  /** The quotes that were not believed, each with its reason. */
  const judge = async (clock: MarketClock, quotes: readonly MarketQuote[]) => {
    const faults = new Map<Symbol, QuoteFault>();
    const doubted: MarketQuote[] = [];
    for (const quote of quotes) {
      const { symbol } = quote;
      const fault = validateQuote(quote);
      if (fault !== null) faults.set(symbol, fault);
      // The premium of an option may well be a tenth or the tenfold of what it was.
      else if (parseOption(symbol) === null && !isBelieved(quote)) doubted.push(quote);
    }
    if (doubted.length === 0) return faults;
    const symbols = doubted.map(({ symbol }) => symbol);
    const bars = await listNewestBars(database, symbols, { interval: '1d', source: sourceOf(clock) });
    for (const quote of doubted) {
      const { symbol } = quote;
      const bar = bars.get(symbol);
      const last = bar && { price: bar.close, date: bar.date };
      const prices = [believed.get(symbol), last].flatMap((one) => one ?? []);
      const breach = findBandBreach(quote, prices, shareOf(symbol));
      if (breach !== null) faults.set(symbol, breach);
    }
    return faults;
  };
  const isBelieved = (quote: MarketQuote) => {
    const before = believed.get(quote.symbol);
    return before !== undefined && findBandBreach(quote, [before], shareOf(quote.symbol)) === null;
  };
  const shareOf = (symbol: Symbol) => ({
    calendar: instruments.get(symbol)!.calendar,
    actions: actions.get(symbol) ?? [],
  });
  const remember = ({ symbol, last, at }: MarketQuote) => {
    const { calendar, actions: known } = shareOf(symbol);
    const [date, next] = quotedDays(calendar, at);
    // Between the two sessions of a split it is not known which shares it is of; the price before it still serves.
    if (ratioBetween(known, date, next) === 1) believed.set(symbol, { price: last, date });
  };
  return {
    async look() {
      const clock = valueOf(await feed.clock());
      // Contracts are listed day by day.
      if (listedOn !== utcDate(clock.now)) await listInstruments(clock);
      const asked = quoted([...instruments.values()], clock.now);
      const quotes = valueOf(await feed.quotes(asked)).filter(({ symbol }) => instruments.has(symbol));
      // After the quotes: what is told of them is then known for every one of them.
      const listed = valueOf(await feed.corporateActions());
      if (listed.length !== known) {
        actions = Map.groupBy(listed, ({ symbol }) => symbol);
        for (const [symbol, own] of actions) await saveCorporateActions(database, symbol, own);
        known = listed.length;
      }
      const faults = await judge(clock, quotes);
      const good = quotes.filter(({ symbol }) => !faults.has(symbol));
      for (const quote of good) if (parseOption(quote.symbol) === null) remember(quote);
      const priced = new Set(good.map(({ symbol }) => symbol));
      return {
        clock,
        instruments,
        marks: new Map(good.map(({ symbol, last }) => [symbol, last])),
        quotedAt: new Map(
          good.filter(({ symbol }) => actions.has(symbol)).map(({ symbol, at }) => [symbol, at]),
        ),
        unpriced: asked.filter((symbol) => !priced.has(symbol)),
        actions,
        refused: [...faults].map(([symbol, fault]) => `price of ${symbol}: ${quoteFaultText(fault)}`),
      };
    },
  };
}

function sourceOf({ mode }: MarketClock): BarSource {
  return mode === 'replay' ? 'import' : 'sandbox';
}

/** A contract is quoted until it has long been settled; the continuous series of a future is no price to trade at. */
function quoted(instruments: readonly Instrument[], now: Instant): Symbol[] {
  const oldest = addDays(utcDate(now), -FINAL_AFTER_DAYS);
  return instruments
    .filter(({ expiry, kind }) => (expiry === null ? kind !== 'futures' : expiry >= oldest))
    .map(({ symbol }) => symbol);
}

const FINAL_AFTER_DAYS = 10;

function valueOf<Value>(
  answer: { ok: true; value: Value } | { ok: false; code: string; message: string },
): Value {
  if (!answer.ok) throw new Error(`market data ${answer.code}: ${answer.message}`);
  return answer.value;
}
