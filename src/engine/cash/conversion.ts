// How far exchange rates can set the cash of a broker apart from ours. A result in another currency is booked at the rate of
// its own price; the broker converts it at a rate of its own, then or later. Promises that no rate outside what was traded
// since then explains anything.
import type { Instant } from '#units/instant.ts';
import { add, type Micro, micro, scale, ZERO_MICRO } from '#units/money.ts';

export type Rated = {
  /** In dollars, signed. */
  readonly amount: Micro;
  /** The price that it was worked out at; of a pair that gives its rate itself, units of the other currency per dollar. */
  readonly rate: number;
  readonly at: Instant;
};

export type ForeignResult = Rated & {
  /** The lowest and highest rates of its own session and all later ones, as far as their bars are known. */
  readonly traded: { readonly low: number; readonly high: number } | null;
  /** A session that ended after it is among them. */
  readonly isCovered: boolean;
};

export type Conversion = {
  /** The largest difference that the rates known so far can cause; never negative. */
  readonly max: Micro;
  /** The sum of the results, without their signs, that a session still under way may convert. */
  readonly open: Micro;
  /** The latest of those; null without any. */
  readonly openSince: Instant | null;
};

export function conversionOf(results: readonly ForeignResult[]): Conversion {
  const open = results.filter(({ isCovered }) => !isCovered);
  return {
    max: add(ZERO_MICRO, ...results.map(conversionMax)),
    open: add(ZERO_MICRO, ...open.map(({ amount }) => sizeOf(amount))),
    openSince: open.reduce<Instant | null>(
      (latest, { at }) => (latest === null || at > latest ? at : latest),
      null,
    ),
  };
}

/** Rates that are not known yet excuse no more than the results that they convert; null when they excuse nothing. */
export function ratesOpenSince({ open, openSince }: Conversion, unexplained: Micro): Instant | null {
  return Math.abs(unexplained) <= open ? openSince : null;
}

/** Worth `amount × rate / other` at another rate. */
function conversionMax({ amount, rate, traded }: ForeignResult): Micro {
  if (traded === null) return ZERO_MICRO;
  const low = Math.min(rate, traded.low);
  const high = Math.max(rate, traded.high);
  return scale(sizeOf(amount), Math.max(rate / low - 1, 1 - rate / high));
}

function sizeOf(amount: Micro): Micro {
  return micro(Math.abs(amount));
}
