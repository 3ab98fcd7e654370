// The market that trading decides on: one reading of its clock, one set of prices, the traded strategies.
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { TradingTerms } from '../../deployment-state.ts';
import type { CalendarExceptions } from '../../market/calendar-exceptions.ts';
import type { CalendarId, Instrument, Marks } from '../../market/instrument.ts';

export type TradingMarket = {
  readonly now: Instant;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  /** When the oldest of the marks was a current price. */
  readonly pricedAt: Instant;
  /** Symbols that should have a price now but do not. */
  readonly unpriced: readonly Symbol[];
  /** Prices that a second feed does not bear out; among no marks. */
  readonly doubted: Marks;
  /** Where the vendor's calendar contradicts our rules. */
  readonly exceptions: CalendarExceptions;
  readonly terms: TradingTerms;
  readonly versions: ReadonlyMap<StrategyVersionId, TradedTerms>;
};

/** What trading needs to know of a strategy version. */
export type TradedTerms = {
  readonly allowsShort: boolean;
  /** It is evaluated at this market's closes. */
  readonly calendar: CalendarId;
  readonly definition: { readonly benchmark: Symbol };
};
