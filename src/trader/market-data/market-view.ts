// One reading of the market: its clock, its instruments and the prices that may be decided on.
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import {
  type CalendarExceptions,
  createExceptionMemory,
  isUnknownSessionNext,
  NO_EXCEPTIONS,
} from '#engine/market/calendar-exceptions.ts';
import type { Instrument, Marks } from '#engine/market/instrument.ts';
import type { SecurityChange } from '#engine/market/security-change.ts';
import { marketSpeed } from '#engine/market/kinds/price-age.ts';
import type { MarketClock, MarketDataFeed } from '#ports/market-data.ts';
import { saveCorporateActions } from '#records/market/corporate-actions.ts';
import { listNewestBars } from '#records/market/bars.ts';
import { BAR_SOURCES, saveInstruments } from '#records/market/instruments.ts';
import type { Database } from '#records/postgres/database.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText, utcDate } from '#units/instant.ts';
import { BARS_ASKED } from '#engine/market-data/accept-bars.ts';
import type { KnownPrice } from '#engine/market-data/price-band.ts';
import { acceptQuotes, doubtedQuotes, type Quote, quotedSymbols } from '#engine/market-data/accept-quotes.ts';
import type { QuoteFault } from '#engine/market-data/validate-quote.ts';
import { feedDoubtText, quoteFaultText } from '#rules/reasons/market-data-fault.ts';
import { type ContradictedDay, contradictedDays } from './calendar-watch.ts';
import { valueOf } from './feed-answer.ts';
import { keepFacts, keepChanges, withHalts } from './keep-facts.ts';

export type MarketView = {
  readonly clock: MarketClock;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  /** Quote times of instruments with a split or dividend. */
  readonly quotedAt: ReadonlyMap<Symbol, Instant>;
  /** Requested symbols without a quote, or without a plausible one. */
  readonly unpriced: readonly Symbol[];
  readonly actions: ReadonlyMap<Symbol, readonly CorporateAction[]>;
  /** Prices that a second feed does not bear out; they are among no marks. */
  readonly doubted: Marks;
  readonly halted: ReadonlySet<Symbol>;
  readonly doubts: readonly { readonly symbol: Symbol; readonly reason: string }[];
  readonly exceptions: CalendarExceptions;
  /** Those of yesterday, today and later. */
  readonly contradicted: readonly ContradictedDay[];
  /** Rejected prices, each with its reason. */
  readonly refused: readonly { readonly symbol: Symbol; readonly reason: string }[];
};

export type MarketWatch = {
  /** Throws when the feed does not answer: without a clock and prices nothing is decided. */
  look(): Promise<MarketView>;
  /** The last reading while it is of this moment, or else a new one. Throws as look does. */
  present(): Promise<MarketView>;
};

export function createMarketWatch(
  feed: MarketDataFeed,
  database: Database,
  steadyMs: () => number,
): MarketWatch {
  let instruments: ReadonlyMap<Symbol, Instrument> = new Map();
  let accepted: ReadonlyMap<Symbol, KnownPrice> = new Map();
  let actions: MarketView['actions'] = new Map();
  let changes: readonly SecurityChange[] = [];
  let known = 0;
  const learnDays = createExceptionMemory();
  let exceptions: CalendarExceptions = NO_EXCEPTIONS;
  let listedOn: IsoDate | null = null;
  let last: { readonly view: MarketView; readonly at: number } | null = null;
  let reading: Promise<MarketView> | null = null;
  const listInstruments = async (clock: MarketClock) => {
    const listed = valueOf(await feed.instruments());
    const fresh = listed.filter(({ symbol }) => !instruments.has(symbol));
    await saveInstruments(database, fresh, BAR_SOURCES[clock.mode]);
    instruments = new Map([...instruments, ...listed.map((one) => [one.symbol, one] as const)]);
    await keepFacts(database, feed.vendors ?? [], clock.now);
    listedOn = utcDate(clock.now);
  };
  /** What stops an instrument, and its new ticker, before anything is asked about its price. */
  const readChanges = async ({ now }: MarketClock) => {
    const naming = feed.vendors?.[0];
    if (naming?.changes === undefined) return;
    const listed = valueOf(await naming.changes());
    if (listed.length !== changes.length) await keepChanges(database, naming, { changes: listed, now });
    changes = listed;
  };
  /** The newest closes, for quotes that the previously accepted prices make implausible. */
  const readBars = async (clock: MarketClock, doubted: readonly Quote[]) => {
    if (doubted.length === 0) return new Map<Symbol, KnownPrice[]>();
    const symbols = doubted.map(({ symbol }) => symbol);
    const of = { interval: '1d', source: BAR_SOURCES[clock.mode], count: BARS_ASKED } as const;
    const bars = await listNewestBars(database, symbols, of);
    return new Map(
      [...bars].map(([symbol, own]) => [symbol, own.map(({ close, date }) => ({ price: close, date }))]),
    );
  };
  const read = async (): Promise<MarketView> => {
    const at = steadyMs();
    const clock = valueOf(await feed.clock());
    if (last !== null && clock.now < last.view.clock.now)
      throw new Error(`the clock of the market went back to ${isoText(clock.now)}`);
    // Contracts are listed day by day.
    if (listedOn !== utcDate(clock.now)) await listInstruments(clock);
    await readChanges(clock);
    const asked = quotedSymbols(instruments.values(), clock.now);
    const quotes = valueOf(await feed.quotes(asked)).filter(({ symbol }) => instruments.has(symbol));
    // After the quotes: the events reported then cover every one of them.
    const listed = valueOf(await feed.corporateActions());
    if (listed.length !== known) {
      actions = Map.groupBy(listed, ({ symbol }) => symbol);
      for (const [symbol, own] of actions) await saveCorporateActions(database, symbol, own);
      known = listed.length;
    }
    // While the vendor does not answer, what it said before counts.
    const days = await feed.calendarDays?.();
    if (days?.ok === true) exceptions = learnDays(days.value);
    const speed = marketSpeed(clock.daySeconds);
    const shares = { instruments, actions, accepted, now: clock.now, speed };
    const bars = await readBars(clock, doubtedQuotes(quotes, shares));
    const { marks, quotedAt, faults, doubts, doubted, ...judged } = acceptQuotes(quotes, shares, bars);
    accepted = judged.accepted;
    const view = {
      clock,
      instruments: withHalts(instruments, changes, utcDate(clock.now)),
      marks,
      quotedAt,
      unpriced: asked.filter((symbol) => !marks.has(symbol)),
      actions,
      doubted,
      halted: new Set([...judged.halted.keys(), ...ofUnknownSessions(instruments, exceptions, clock)]),
      doubts: [...doubts].map(([symbol, doubt]) => ({
        symbol,
        reason: `price of ${symbol}: ${feedDoubtText(doubt)}`,
      })),
      exceptions,
      contradicted: contradictedDays(exceptions, clock.now),
      refused: refusedPrices(faults, { instruments, exceptions, clock }),
    };
    last = { view, at };
    return view;
  };
  /** Those who ask meanwhile get the same reading: it ends after they asked. */
  const look = () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
  return {
    look,
    present: () => (last !== null && steadyMs() - last.at < PRESENT_MS ? Promise.resolve(last.view) : look()),
  };
}

/** An order in one of them would trade in a session that our rules do not know. */
function ofUnknownSessions(
  instruments: MarketView['instruments'],
  exceptions: CalendarExceptions,
  { now }: MarketClock,
): readonly Symbol[] {
  const calendars = [...exceptions.keys()].filter((one) => isUnknownSessionNext(one, now, exceptions));
  if (calendars.length === 0) return [];
  return [...instruments.values()].flatMap(({ symbol, calendar }) =>
    calendars.includes(calendar) ? [symbol] : [],
  );
}

/**
 * On a day that the vendor says is not held, old prices are no fault of theirs: that day is an incident of its own. Nor is that of
 * a contract which nobody asks for: it has none.
 */
function refusedPrices(
  faults: ReadonlyMap<Symbol, QuoteFault>,
  { instruments, exceptions, clock }: Pick<MarketView, 'instruments' | 'exceptions' | 'clock'>,
): MarketView['refused'] {
  const today = utcDate(clock.now);
  return [...faults]
    .filter(
      ([symbol, { code }]) =>
        !(code === 'too_old' && instruments.get(symbol)!.kind === 'options') &&
        (code !== 'exchange_closed' ||
          exceptions.get(instruments.get(symbol)!.calendar)?.has(today) !== true),
    )
    .map(([symbol, fault]) => ({ symbol, reason: `price of ${symbol}: ${quoteFaultText(fault)}` }));
}

/** Far below the limit on the age of any price. */
const PRESENT_MS = 250;
