// What the sandbox brokerage and the market feed ask of a market, be it simulated or a replayed tape.
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';

export type Quote = {
  readonly symbol: Symbol;
  readonly at: Instant;
  readonly last: number;
  readonly bid: number;
  readonly ask: number;
  /** Whether the instrument's session is open at this instant. */
  readonly open: boolean;
};

export type ShareAction = CorporateAction & { readonly symbol: Symbol };

export type PriceSource = {
  /** All that it will ever have. */
  readonly instruments: readonly Instrument[];
  /** Those that have been listed by an instant, ended ones too; without it all of them always. */
  listedAt?(at: Instant): readonly Instrument[];
  /** Splits and dividends that take effect at or before the next opening, oldest first. */
  actions?(at: Instant): readonly ShareAction[];
  /** The price at an instant; outside a session the last one traded. Null before the first trade ever. */
  quote(symbol: Symbol, at: Instant): Quote | null;
  /** Daily bars closed at or before `asOf`, dates from..to inclusive, oldest first. */
  dailyBars(symbol: Symbol, range: { from: IsoDate; to: IsoDate; asOf: Instant }): readonly Bar[];
};
