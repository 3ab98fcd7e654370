import type { Instrument } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { PracticeStore } from './practice-store.ts';
import type { MarketReader } from './read-market.ts';

/** All that a practice order can reach. */
export type Venue = {
  readonly store: PracticeStore;
  readonly market: MarketReader;
  readonly findInstrument: (symbol: Symbol) => Instrument | null;
};
