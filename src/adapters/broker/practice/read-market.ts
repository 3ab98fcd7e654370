// What a look of an account needs of the market, from the trader's own feed.
import type { Instrument } from '#engine/market/instrument.ts';
import { isPriceTooOld, marketSpeed } from '#engine/market/kinds/price-age.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import type { PracticeAccount } from '#engine/practice/practice-account.ts';
import type { PracticeMarket } from '#engine/practice/look.ts';
import type { MarketClock, MarketDataAnswer, MarketDataFeed, MarketQuote } from '#ports/market-data.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, utcDate } from '#units/instant.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import { barsOf, endedSessions } from './ended-sessions.ts';
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
  const volumes = new Map<string, number>();

  /** A share of the last day's volume, kept for the day. */
  const onOffer = async (instrument: Instrument, now: Instant): Promise<Quantity | null> => {
    const today = utcDate(now);
    const key = `${instrument.symbol} ${today}`;
    const kept = volumes.get(key);
    const volume =
      kept ??
      (await barsOf(feed, instrument.symbol, { from: addDays(today, -7), to: today })).at(-1)?.volume ??
      0;
    if (volumes.size > VOLUMES_MAX) volumes.clear();
    volumes.set(key, volume);
    const units = volume * VOLUME_SHARE;
    return units > 0 && units < UNITS_MAX ? toQuantity(units) : null;
  };

  const read: MarketReader['read'] = async (account, clock, more) => {
    try {
      const instruments = instrumentsOf(account, more, findInstrument);
      const traded = [...account.working.map(({ symbol }) => symbol), ...(more === undefined ? [] : [more])];
      const asked = [...instruments.keys()];
      const answer = asked.length === 0 ? NO_QUOTES : await feed.quotes(asked);
      if (!answer.ok) return answer;
      const { now } = clock;
      const marks = new Map(answer.value.map(({ symbol, last }) => [symbol, last]));
      const usable = answer.value.filter((quote) => isUsable(quote, clock, instruments));
      const quotes = new Map(usable.map((quote) => [quote.symbol, quote]));
      const offers = new Map<Symbol, Quantity>();
      for (const symbol of new Set(traded)) {
        const instrument = instruments.get(symbol);
        if (instrument === undefined || !quotes.has(symbol)) continue;
        const offered = await onOffer(instrument, now);
        if (offered !== null) offers.set(symbol, offered);
      }
      const ended = await endedSessions(feed, account, { now, marks, instruments });
      return { ok: true, value: { now, quotes, onOffer: offers, instruments, marks, ended } };
    } catch (error) {
      if (error instanceof FeedFailed) return error.failure;
      throw error;
    }
  };
  return { clock: () => feed.clock(), read };
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
  { symbol, open, at }: MarketQuote,
  { now, daySeconds }: MarketClock,
  instruments: ReadonlyMap<Symbol, Instrument>,
): boolean {
  const instrument = instruments.get(symbol);
  if (!open || instrument === undefined) return false;
  return !isPriceTooOld({ instrument, pricedAt: at, now, speed: marketSpeed(daySeconds) });
}

const NO_QUOTES: MarketDataAnswer<readonly MarketQuote[]> = { ok: true, value: [] };
/** A part every quarter of an hour at this share takes half a day's volume in a session at most. */
const VOLUME_SHARE = 0.02;
/** More than any order. */
const UNITS_MAX = 10_000_000;
const VOLUMES_MAX = 10_000;
