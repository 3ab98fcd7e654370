// What the sandbox brokerage and the market feed ask of a market, be it simulated or a replayed tape.
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

export type PriceSource = {
  readonly instruments: readonly Instrument[];
  /** The price at an instant; outside a session the last one traded. Null before the first trade ever. */
  quote(symbol: Symbol, at: Instant): Quote | null;
  /** Daily bars closed at or before `asOf`, dates from..to inclusive, oldest first. */
  dailyBars(symbol: Symbol, range: { from: IsoDate; to: IsoDate; asOf: Instant }): readonly Bar[];
};
