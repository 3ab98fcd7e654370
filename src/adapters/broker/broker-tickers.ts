// What a broker calls our instruments today. Our symbol of an instrument stays; its ticker may pass to another company.
import type { Symbol } from '#units/identifiers.ts';

export type BrokerTickers = {
  readonly tickerOf: (symbol: Symbol) => string;
  /** Null for another company's. */
  readonly symbolOf: (ticker: string) => Symbol | null;
};

/** Of a market in which nothing is renamed. */
export const OUR_SYMBOLS = (): BrokerTickers => ({
  tickerOf: (symbol) => symbol,
  symbolOf: (ticker) => ticker as Symbol,
});
