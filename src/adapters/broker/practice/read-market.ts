// What a look of an account needs of the market, from the trader's own feed.
import {
  type CalendarExceptions,
  createExceptionMemory,
  NO_EXCEPTIONS,
} from '#engine/market/calendar-exceptions.ts';
import { findBandBreach, validateQuote } from '#engine/market-data/validate-quote.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { isPriceTooOld, marketSpeed, seenAt } from '#engine/market/kinds/price-age.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import type { PracticeAccount } from '#engine/practice/practice-account.ts';
import type { PracticeMarket } from '#engine/practice/look.ts';
import type { MarketClock, MarketDataAnswer, MarketDataFeed, MarketQuote } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import { createDayMemory, type DayMemory } from './day-memory.ts';
import { endedSessions } from './ended-sessions.ts';
import { FeedFailed } from './feed-failed.ts';

export type MarketReader = {
  clock(): Promise<MarketDataAnswer<MarketClock>>;
  /** `more`: an instrument that is about to be ordered. */
  read(
    account: PracticeAccount,
    clock: MarketClock,
    more?: Symbol,
  ): Promise<MarketDataAnswer<PracticeMarket>>;
};

type FindInstrument = (symbol: Symbol) => Instrument | null;

export function createMarketReader(feed: MarketDataFeed, findInstrument: FindInstrument): MarketReader {
  const days = createDayMemory(feed);
  const learnDays = createExceptionMemory();
  let exceptions: CalendarExceptions = NO_EXCEPTIONS;

  const read: MarketReader['read'] = async (account, clock, more) => {
    try {
      const instruments = instrumentsOf(account, more, findInstrument);
      const ordered = new Set(account.working.map(({ symbol }) => symbol));
      if (more !== undefined) ordered.add(more);
      const asked = [...instruments.keys()];
      const answer = asked.length === 0 ? NO_QUOTES : await feed.quotes(asked);
      if (!answer.ok) return answer;
      const { now } = clock;
      const plausible: MarketQuote[] = [];
      for (const quote of answer.value)
        if (await isPlausible(quote, { instruments, days, now })) plausible.push(quote);
      const marks = new Map(plausible.map(({ symbol, last }) => [symbol, last]));
      const usable = plausible.filter((quote) => isUsable(quote, clock, instruments));
      const quotes = new Map(usable.map((quote) => [quote.symbol, quote]));
      const onOffer = new Map<Symbol, Quantity>();
      for (const symbol of ordered) {
        const instrument = instruments.get(symbol);
        const newest = instrument && (await days.recent(instrument, now)).bars.at(-1);
        const units = (newest?.volume ?? 0) * VOLUME_SHARE;
        if (units > 0 && units < UNITS_MAX) onOffer.set(symbol, toQuantity(units));
      }
      const said = await feed.calendarDays?.();
      if (said?.ok === true) exceptions = learnDays(said.value);
      const ended = await endedSessions(feed, account, {
        now,
        marks,
        instruments,
        exceptions,
        isHeldToExpiry: clock.mode === 'live',
      });
      const covers = new Set([...account.portfolio.positions.keys(), ...ordered]);
      return { ok: true, value: { now, covers, quotes, onOffer, instruments, marks, exceptions, ended } };
    } catch (error) {
      if (error instanceof FeedFailed) return error.failure;
      throw error;
    }
  };
  return { clock: () => feed.clock(), read };
}

/** The trader's own checks of a quote, against the newest bars: what fails them prices nothing and fills nothing. */
async function isPlausible(
  quote: MarketQuote,
  {
    instruments,
    days,
    now,
  }: {
    readonly instruments: ReadonlyMap<Symbol, Instrument>;
    readonly days: DayMemory;
    readonly now: Instant;
  },
): Promise<boolean> {
  const { symbol } = quote;
  const instrument = instruments.get(symbol);
  if (instrument === undefined || validateQuote(quote) !== null) return false;
  // An option's premium may well fall to a tenth or rise tenfold.
  if (parseOption(symbol) !== null) return true;
  const { bars, actions } = await days.recent(instrument, now);
  const known = bars.map(({ close, date }) => ({ price: close, date }));
  return findBandBreach(quote, known, { calendar: instrument.calendar, actions }) === null;
}

/** What is held and ordered, the underlyings of options, and the pairs that give the rates of their currencies. */
function instrumentsOf(
  { portfolio, working }: PracticeAccount,
  more: Symbol | undefined,
  findInstrument: FindInstrument,
): ReadonlyMap<Symbol, Instrument> {
  const found = new Map<Symbol, Instrument>();
  const include = (symbol: Symbol) => {
    const instrument = found.has(symbol) ? null : findInstrument(symbol);
    if (instrument === null) return;
    found.set(symbol, instrument);
    const option = parseOption(symbol);
    if (option !== null) include(option.underlying);
    const { currency } = instrument;
    if (currency === 'USD') return;
    for (const pair of [`${currency}USD`, `USD${currency}`]) include(pair as Symbol);
  };
  for (const symbol of portfolio.positions.keys()) include(symbol);
  for (const { symbol } of working) include(symbol);
  if (more !== undefined) include(more);
  return found;
}

/** A price of an open session that is not too old to trade at. */
function isUsable(
  { symbol, open, at, delayMs }: MarketQuote,
  { now, daySeconds }: MarketClock,
  instruments: ReadonlyMap<Symbol, Instrument>,
): boolean {
  const instrument = instruments.get(symbol);
  if (!open || instrument === undefined) return false;
  const speed = marketSpeed(daySeconds);
  return !isPriceTooOld({ instrument, pricedAt: at, now: seenAt(now, delayMs), speed });
}

const NO_QUOTES: MarketDataAnswer<readonly MarketQuote[]> = { ok: true, value: [] };
/** A part every quarter of an hour at this share takes half a day's volume in a session at most. */
const VOLUME_SHARE = 0.02;
/** More than any order. */
const UNITS_MAX = 10_000_000;
