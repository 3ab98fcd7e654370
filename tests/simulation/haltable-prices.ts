// The seeded market with halts: a halted instrument has no bar for the sessions that end meanwhile, its last quote remains
// but is not open, and the brokerage fills no order in it.
import type { Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { SeededPrices } from './prices.ts';

export type HaltablePrices = SeededPrices & {
  halt(symbol: Symbol, at: Instant): void;
  lift(at: Instant): void;
};

type Halt = { readonly symbol: Symbol; readonly from: Instant; until: Instant };

export function haltablePrices(prices: SeededPrices): HaltablePrices {
  const halts: Halt[] = [];
  const haltOf = (symbol: Symbol, at: Instant) =>
    halts.find((halt) => halt.symbol === symbol && halt.from <= at && at < halt.until);
  return {
    ...prices,
    halt(symbol, at) {
      halts.push({ symbol, from: at, until: Number.POSITIVE_INFINITY as Instant });
    },
    lift(at) {
      for (const halt of halts) if (halt.until > at) halt.until = at;
    },
    quote(symbol, at) {
      const halt = haltOf(symbol, at);
      if (halt === undefined) return prices.quote(symbol, at);
      const last = prices.quote(symbol, halt.from);
      return last && { ...last, open: false };
    },
    dailyBars: (symbol, range) =>
      prices.dailyBars(symbol, range).filter(({ closedAt }) => haltOf(symbol, closedAt) === undefined),
  };
}
