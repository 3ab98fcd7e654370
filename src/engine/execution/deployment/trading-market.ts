// The market that trading decides on: one reading of its clock, one set of prices, the strategies that are traded.
import type { StrategyVersionId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { TradingTerms } from '../../deployment-state.ts';
import type { CalendarId, Instrument, Marks } from '../../market/instrument.ts';

export type TradingMarket = {
  readonly now: Instant;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  /** What should have a price now and has none. */
  readonly unpriced: readonly Symbol[];
  readonly terms: TradingTerms;
  readonly versions: ReadonlyMap<StrategyVersionId, TradedTerms>;
};

/** What trading must know of a strategy version. */
export type TradedTerms = {
  readonly allowsShort: boolean;
  /** Its closes are when it is evaluated. */
  readonly calendar: CalendarId;
  readonly definition: { readonly benchmark: Symbol };
};
