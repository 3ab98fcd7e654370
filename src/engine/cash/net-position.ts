// What a broker makes of an instrument that settles as margin: it knows one net position of the account, whoever of its
// holders traded. Promises the results of that position, at average cost, in the order in which the trades happened.
import type { Instant } from '#units/instant.ts';
import { add, type Micro, notional, scale, subtract, ZERO_MICRO } from '#units/money.ts';
import { quantity, type Quantity, ZERO_QUANTITY } from '#units/quantity.ts';
import type { Instrument, Marks } from '../market/instrument.ts';
import { changePosition, type PositionChange } from '../portfolio/apply-fill.ts';
import { dollarsPerQuote } from '../portfolio/quote-rate.ts';
import type { Rated } from './conversion.ts';

export type NetTrade = {
  /** Signed. */
  readonly traded: Quantity;
  readonly price: number;
  readonly at: Instant;
};

/** All that is known to have happened to an instrument in an account, the oldest first. */
export type NetHistory = {
  readonly instrument: Instrument;
  readonly trades: readonly NetTrade[];
  /** The results that the deployments have booked for these trades, in dollars, without commissions. */
  readonly booked: Micro;
  /** Whether a deployment holds it now. */
  readonly isOpen: boolean;
  /** When something came in that is no trade at a known price, so that no replay is certain; null without any. */
  readonly unsureSince: Instant | null;
};

export type NetPosition = {
  readonly quantity: Quantity;
  readonly results: readonly Rated[];
  readonly realized: Micro;
};

export function netPosition({ instrument, trades }: NetHistory): NetPosition {
  let held: PositionChange | undefined;
  const results: Rated[] = [];
  for (const { traded, price, at } of trades) {
    held = changePosition(held?.quantity === 0 ? undefined : held, traded, price, instrument.multiplier);
    const rate = dollarsPerQuote(instrument, price, NO_MARKS);
    const amount = rate === 1 ? held.profit : scale(held.profit, rate);
    if (amount !== 0) results.push({ amount, rate: price, at });
  }
  const realized = add(ZERO_MICRO, ...results.map(({ amount }) => amount));
  return { quantity: held?.quantity ?? ZERO_QUANTITY, results, realized };
}

/** What the broker has realized beyond the books of the deployments: profits that are open in one and closed by another. */
export function nettingOf(histories: readonly NetHistory[]): Micro {
  const sure = histories.filter(({ unsureSince }) => unsureSince === null);
  return add(ZERO_MICRO, ...sure.map((one) => subtract(netPosition(one).realized, one.booked)));
}

export type NettingDoubt = {
  /** No way to match the trades makes a larger difference; never negative. */
  readonly max: Micro;
  /** When the latest unsure entry came in; null without an open position that has one. */
  readonly since: Instant | null;
};

/**
 * Of the open positions whose replay is not certain. Each unit is closed at most once, and no matching of the same trades moves
 * its result by more than the range of their prices.
 */
export function nettingDoubt(histories: readonly NetHistory[]): NettingDoubt {
  const open = histories.filter(
    (one): one is NetHistory & { readonly unsureSince: Instant } => one.unsureSince !== null && one.isOpen,
  );
  return {
    max: add(ZERO_MICRO, ...open.map(matchingMax)),
    since: open.reduce<Instant | null>(
      (latest, { unsureSince }) => (latest === null || unsureSince > latest ? unsureSince : latest),
      null,
    ),
  };
}

function matchingMax({ instrument, trades }: NetHistory): Micro {
  const prices = trades.map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const units = quantity(trades.reduce((sum, { traded }) => sum + Math.abs(traded), 0));
  return scale(
    notional(units, high - low, instrument.multiplier),
    dollarsPerQuote(instrument, low, NO_MARKS),
  );
}

/** Whoever trades such an instrument has its rate in its own price. */
const NO_MARKS: Marks = new Map();
