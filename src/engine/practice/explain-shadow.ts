// Why a practice shadow is worth something else than the real deployment beside which it goes on. Promises that the causes
// sum to the difference exactly; what no cause explains is one of them, by name.
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import { add, type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { Side } from '../order/order.ts';

/**
 * invested: another amount was put in. earlier: what practice bought or sold before the real one began. prices: both filled
 * an order of one decision, at other prices. late: one of them a quarter of an hour or more after the other. one_sided: only
 * one filled it. sizes: they filled other quantities of it. financing: dividends and swaps. valued_apart: one was priced
 * later than the other. rest: rates of other currencies, expiries and rounding.
 */
export const SHADOW_CAUSES = [
  'invested',
  'earlier',
  'prices',
  'late',
  'one_sided',
  'sizes',
  'commissions',
  'financing',
  'adjustments',
  'valued_apart',
  'rest',
] as const;
type ShadowCause = (typeof SHADOW_CAUSES)[number];

export type ShadowFill = {
  readonly symbol: Symbol;
  readonly side: Side;
  /** Positive, and in the units of now, as is the price. */
  readonly quantity: Quantity;
  readonly price: number;
  readonly commission: Micro;
  readonly at: Instant;
  /** What it was ordered for: the same for orders that both decided from one target. */
  readonly decision: string;
};

export type ShadowSide = {
  readonly value: Micro;
  readonly invested: Micro;
  /** Oldest first. */
  readonly fills: readonly ShadowFill[];
  /** What dividends and swaps have brought. */
  readonly financing: Micro;
  /** What people have changed by hand: units of now, signed, and cash. */
  readonly adjustments: readonly {
    readonly symbol: Symbol;
    readonly units: Quantity;
    readonly cash: Micro;
  }[];
  /** At which its positions are valued. */
  readonly marks: ReadonlyMap<Symbol, number>;
};

export type ShadowPair = {
  readonly practice: ShadowSide;
  readonly real: ShadowSide;
  /** When the real one began. */
  readonly realSince: Instant;
  /** Dollars that one unit gains when its price rises by one. */
  readonly dollarsPerPoint: ReadonlyMap<Symbol, number>;
};

type ShadowExplained = {
  /** What practice is worth more. */
  readonly difference: Micro;
  readonly causes: Readonly<Record<ShadowCause, Micro>>;
};

/** Throws RangeError when an instrument that was traded has no dollars per point. */
export function explainShadow(pair: ShadowPair): ShadowExplained {
  const { practice, real } = pair;
  const difference = subtract(practice.value, real.value);
  const causes: Record<ShadowCause, Micro> = {
    ...NOTHING,
    invested: subtract(practice.invested, real.invested),
    commissions: subtract(commissionsOf(real), commissionsOf(practice)),
    financing: subtract(practice.financing, real.financing),
  };
  const count = (cause: ShadowCause, amount: Micro) => {
    causes[cause] = add(causes[cause], amount);
  };
  const rows = [practice, real].flatMap(({ fills, adjustments }) => [...fills, ...adjustments]);
  for (const symbol of new Set(rows.map((row) => row.symbol))) explainInstrument(symbol, pair, count);
  count('rest', subtract(difference, add(...Object.values(causes))));
  return { difference, causes };
}

type Count = (cause: ShadowCause, amount: Micro) => void;

/** A part of a fill that the other side does not have; signed as what practice holds more. */
type Lot = { readonly at: Instant; readonly price: number; readonly cause: ShadowCause; units: number };

function explainInstrument(symbol: Symbol, pair: ShadowPair, count: Count): void {
  const { practice, real, realSince, dollarsPerPoint } = pair;
  const perPoint = dollarsPerPoint.get(symbol);
  if (perPoint === undefined) throw new RangeError(`${symbol} has no dollars per point`);
  const gain = (units: number, from: number, to: number) =>
    micro(roundHalfEven((units * (to - from) * perPoint) / 100));
  const own = (side: ShadowSide) => side.fills.filter((fill) => fill.symbol === symbol);
  const [theirs, ours] = [own(practice), own(real)];
  const lots: Lot[] = [];
  const decisions = new Set([...theirs, ...ours].map((fill) => `${fill.decision} ${fill.side}`));
  for (const decision of decisions) {
    const isOfIt = (fill: ShadowFill) => `${fill.decision} ${fill.side}` === decision;
    lots.push(...matchFills(theirs.filter(isOfIt), ours.filter(isOfIt), { realSince, gain, count }));
  }
  const mark =
    real.marks.get(symbol) ?? practice.marks.get(symbol) ?? newestOf([...theirs, ...ours])?.price ?? 0;
  settleLots(lots, mark, (cause, ...move) => count(cause, gain(...move)));
  for (const [side, sign] of [
    [practice, 1],
    [real, -1],
  ] as const)
    for (const adjustment of side.adjustments.filter((one) => one.symbol === symbol))
      count('adjustments', micro(sign * (adjustment.cash + gain(adjustment.units, 0, mark))));
  const held = theirs.reduce((sum, fill) => sum + signedUnits(fill), 0);
  count('valued_apart', gain(held, mark, practice.marks.get(symbol) ?? mark));
}

type Matching = {
  readonly realSince: Instant;
  readonly gain: (units: number, from: number, to: number) => Micro;
  readonly count: Count;
};

/** Pairs what both filled of one decision, oldest first; returns what is left over. */
function matchFills(
  practice: readonly ShadowFill[],
  real: readonly ShadowFill[],
  { realSince, gain, count }: Matching,
): Lot[] {
  const [left, right] = [practice, real].map((fills) =>
    fills.map((fill) => ({ fill, open: fill.quantity as number })),
  );
  let [i, j] = [0, 0];
  while (left![i] !== undefined && right![j] !== undefined) {
    const [one, other] = [left![i]!, right![j]!];
    const both = Math.min(one.open, other.open);
    const isLate = Math.abs(one.fill.at - other.fill.at) >= LATE_MS;
    const units = one.fill.side === 'buy' ? both : -both;
    count(isLate ? 'late' : 'prices', gain(units, one.fill.price, other.fill.price));
    one.open -= both;
    other.open -= both;
    if (one.open === 0) i += 1;
    if (other.open === 0) j += 1;
  }
  const isShared = practice.length > 0 && real.length > 0;
  const rest = [...left!.map((one) => ({ ...one, sign: 1 })), ...right!.map((one) => ({ ...one, sign: -1 }))];
  return rest
    .filter(({ open }) => open > 0)
    .map(({ fill, open, sign }) => ({
      at: fill.at,
      price: fill.price,
      units: sign * (fill.side === 'buy' ? open : -open),
      cause: fill.at < realSince ? 'earlier' : isShared ? 'sizes' : 'one_sided',
    }));
}

/** A later lot closes the oldest of the other direction, and what that made is due to why the closed one was there. */
function settleLots(
  lots: readonly Lot[],
  mark: number,
  book: (cause: ShadowCause, units: number, from: number, to: number) => void,
): void {
  const open: Lot[] = [];
  for (const lot of lots.toSorted((one, other) => one.at - other.at)) {
    const coming = { ...lot };
    while (coming.units !== 0 && open[0] !== undefined && open[0].units > 0 !== coming.units > 0) {
      const [oldest] = open;
      const closed = Math.sign(oldest.units) * Math.min(Math.abs(oldest.units), Math.abs(coming.units));
      book(oldest.cause, closed, oldest.price, coming.price);
      oldest.units -= closed;
      coming.units += closed;
      if (oldest.units === 0) open.shift();
    }
    if (coming.units !== 0) open.push(coming);
  }
  for (const { cause, units, price } of open) book(cause, units, price, mark);
}

/** For people: both values in whole cents, and causes in whole cents that sum to their difference. */
export function inCents(
  { causes }: ShadowExplained,
  { practice, real }: { readonly practice: Micro; readonly real: Micro },
): ShadowExplained {
  const cents = (amount: Micro) => micro(roundHalfEven(amount / MICRO_PER_CENT) * MICRO_PER_CENT);
  const difference = subtract(cents(practice), cents(real));
  const rounded = { ...causes };
  for (const cause of SHADOW_CAUSES) rounded[cause] = cents(causes[cause]);
  const explained = add(...Object.values({ ...rounded, rest: ZERO_MICRO }));
  return { difference, causes: { ...rounded, rest: subtract(difference, explained) } };
}

function newestOf(fills: readonly ShadowFill[]): ShadowFill | undefined {
  return fills.toSorted((one, other) => one.at - other.at).at(-1);
}

function signedUnits({ side, quantity: units }: ShadowFill): Quantity {
  return quantity(side === 'buy' ? units : -units);
}

function commissionsOf({ fills }: ShadowSide): Micro {
  return add(...fills.map(({ commission }) => commission));
}

const NOTHING = Object.fromEntries(SHADOW_CAUSES.map((cause) => [cause, ZERO_MICRO])) as Record<
  ShadowCause,
  Micro
>;
const MICRO_PER_CENT = 10_000;
/** The practice venue fills at the first look, a broker within moments: more than this is another moment of the market. */
const LATE_MS = 15 * MINUTE_MS;
