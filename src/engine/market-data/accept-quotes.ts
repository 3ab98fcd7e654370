// Which of the quotes of one look may be used. An invalid price is refused; one that no known price makes plausible is
// also checked against the newest bars, which are read only then.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant, utcDate } from '#units/instant.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { Instrument, Marks } from '../market/instrument.ts';
import { isPriceTooOld, seenAt } from '../market/kinds/price-age.ts';
import { parseOption } from '../market/option-contract.ts';
import { ratioBetween } from '../market/split-ratio.ts';
import { type CheckQuote, type FeedDoubt, findQuoteDoubt } from './feed-doubt.ts';
import type { KnownPrice } from './price-band.ts';
import {
  findBandBreach,
  type QuotedPrice,
  type QuoteFault,
  quotedDays,
  validateQuote,
} from './validate-quote.ts';

export type Quote = QuotedPrice & {
  readonly symbol: Symbol;
  readonly at: Instant;
  /** How late its feed is by its plan. */
  readonly delayMs?: number;
  readonly open?: boolean;
  readonly check?: CheckQuote;
  readonly halt?: TradingHalt;
};

/** Its exchange has stopped trading in it; `said` is why, in the feed's words. */
export type TradingHalt = { readonly since: Instant; readonly said: string };

export type QuotedShares = {
  /** Of every quote. */
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly actions: ReadonlyMap<Symbol, readonly CorporateAction[]>;
  /** The last accepted price of each symbol. */
  readonly accepted: ReadonlyMap<Symbol, KnownPrice>;
  /** The market's time before the quotes were asked for. */
  readonly now: Instant;
  /** See marketSpeed. */
  readonly speed: number;
};

/** Those that the last accepted price does not make plausible. */
export function doubtedQuotes(quotes: readonly Quote[], shares: QuotedShares): readonly Quote[] {
  return quotes.filter((quote) => {
    // An option's premium may well fall to a tenth or rise tenfold.
    if (validateQuote(quote) !== null || parseOption(quote.symbol) !== null) return false;
    const before = shares.accepted.get(quote.symbol);
    return before === undefined || findBandBreach(quote, [before], shareOf(quote.symbol, shares)) !== null;
  });
}

export type AcceptedQuotes = {
  readonly marks: Marks;
  /** When the quotes of splitting or paying instruments were made. */
  readonly quotedAt: ReadonlyMap<Symbol, Instant>;
  readonly faults: ReadonlyMap<Symbol, QuoteFault>;
  /** Why a second feed does not bear out a quote that is valid by itself, */
  readonly doubts: ReadonlyMap<Symbol, FeedDoubt>;
  /** and its price, which is among no marks. */
  readonly doubted: Marks;
  /** Those in which their exchange has halted trading: no order in them leaves. */
  readonly halted: ReadonlyMap<Symbol, TradingHalt>;
  /** The prices to check the next quotes against. */
  readonly accepted: ReadonlyMap<Symbol, KnownPrice>;
};

/** `bars` are the newest few closes of the doubtful symbols, newest first. */
export function acceptQuotes(
  quotes: readonly Quote[],
  shares: QuotedShares,
  bars: ReadonlyMap<Symbol, readonly KnownPrice[]>,
): AcceptedQuotes {
  const faults = new Map<Symbol, QuoteFault>();
  for (const quote of quotes) {
    const fault = validateQuote(quote) ?? findDelay(quote, shares);
    if (fault !== null) faults.set(quote.symbol, fault);
  }
  for (const quote of doubtedQuotes(quotes, shares)) {
    const { symbol } = quote;
    const known = [shares.accepted.get(symbol), bars.get(symbol)].flatMap((one) => one ?? []);
    const breach = findBandBreach(quote, known, shareOf(symbol, shares));
    if (breach !== null) faults.set(symbol, breach);
  }
  const valid = quotes.filter(({ symbol }) => !faults.has(symbol));
  const doubts = new Map<Symbol, FeedDoubt>();
  for (const quote of valid) {
    const instrument = shares.instruments.get(quote.symbol)!;
    const doubt = findQuoteDoubt(quote, { instrument, now: shares.now, speed: shares.speed });
    if (doubt !== null) doubts.set(quote.symbol, doubt);
  }
  const good = valid.filter(({ symbol }) => !doubts.has(symbol));
  const dated = good.filter(({ symbol }) => shares.actions.has(symbol));
  return {
    marks: new Map(good.map(({ symbol, last }) => [symbol, last])),
    quotedAt: new Map(dated.map(({ symbol, at }) => [symbol, at])),
    faults,
    doubts,
    doubted: new Map(
      valid.filter(({ symbol }) => doubts.has(symbol)).map(({ symbol, last }) => [symbol, last]),
    ),
    halted: new Map(quotes.flatMap(({ symbol, halt }) => (halt === undefined ? [] : [[symbol, halt]]))),
    accepted: remember(good, shares),
  };
}

/** A feed that is silent or late repeats old prices: while the instrument trades, nothing is decided on them. */
function findDelay(
  { symbol, at, halt, open, delayMs }: Quote,
  { instruments, now, speed }: QuotedShares,
): QuoteFault | null {
  const instrument = instruments.get(symbol)!;
  if (!isPriceTooOld({ instrument, pricedAt: at, now: seenAt(now, delayMs), speed })) return null;
  if (halt !== undefined) return { code: 'halted', ...halt };
  return { code: open === false ? 'exchange_closed' : 'too_old', at };
}

/** Between the two sessions of a split it is unknown which shares a price is in; the price before it is still used. */
function remember(quotes: readonly Quote[], shares: QuotedShares): ReadonlyMap<Symbol, KnownPrice> {
  const accepted = new Map(shares.accepted);
  for (const { symbol, last, at } of quotes) {
    if (parseOption(symbol) !== null) continue;
    const { calendar, actions } = shareOf(symbol, shares);
    const [date, next] = quotedDays(calendar, at);
    if (ratioBetween(actions, date, next) === 1) accepted.set(symbol, { price: last, date });
  }
  return accepted;
}

function shareOf(symbol: Symbol, { instruments, actions }: QuotedShares) {
  return { calendar: instruments.get(symbol)!.calendar, actions: actions.get(symbol) ?? [] };
}

/** A contract is quoted until well after its settlement; the continuous series of a future is not a tradable price. */
export function quotedSymbols(instruments: Iterable<Instrument>, now: Instant): Symbol[] {
  const oldest = addDays(utcDate(now), -FINAL_AFTER_DAYS);
  return [...instruments]
    .filter(({ expiry, kind }) => (expiry === null ? kind !== 'futures' : expiry >= oldest))
    .map(({ symbol }) => symbol);
}

const FINAL_AFTER_DAYS = 10;
