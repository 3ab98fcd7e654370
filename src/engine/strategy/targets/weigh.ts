// From sides (long, short, flat) to weights: each instrument's signed share of equity.
import type { Weighting } from '../definition.ts';
import { annualVolatility } from '../feature-column.ts';
import { barAt, type Prepared } from '../prepare.ts';

export type Weigher = {
  /** Whether weights move while the sides stay, because volatility does. */
  readonly moves: boolean;
  /** Writes the weights of all instruments for these sides (1, 0, -1) at a row. */
  readonly weigh: (sides: Int8Array, row: number, weights: Float64Array) => void;
};

export function weigherOf({ definition, instruments }: Prepared): Weigher {
  const { weighting, gross, universe, basket, periodsPerYear } = definition;
  // Of a basket, as many as it holds are the whole.
  const whole = Math.min(basket?.most ?? universe.length, universe.length);
  const length = 'length' in weighting ? weighting.length : 0;
  const columns =
    length === 0 ? [] : instruments.map(({ bars }) => annualVolatility(bars, length, periodsPerYear));
  const volatilityAt: VolatilityAt = (s, row) => {
    const bar = barAt(instruments[s]!, row);
    return bar < 0 ? Number.NaN : columns[s]![bar]!;
  };
  switch (weighting.type) {
    case 'equal':
      return { moves: false, weigh: equalWeights(weighting.over, gross, whole) };
    case 'fixed': {
      const shares = Float64Array.from(universe, (symbol) => (weighting.weights[symbol] ?? 0) * gross);
      return { moves: false, weigh: fixedWeights(shares) };
    }
    case 'inverse_volatility':
    case 'volatility_target':
      return { moves: true, weigh: volatilityWeights(weighting, { gross, whole }, volatilityAt) };
    case 'conviction': {
      const convictionAt: ValueAt = (s, row) => {
        const bar = barAt(instruments[s]!, row);
        return bar < 0 ? Number.NaN : instruments[s]!.features.valueAt(weighting.by, bar);
      };
      return { moves: true, weigh: convictionWeights(weighting, gross, convictionAt) };
    }
  }
}

function equalWeights(over: 'universe' | 'held', gross: number, whole: number): Weigher['weigh'] {
  return (sides, _row, weights) => {
    const share = gross / (over === 'universe' ? whole : Math.max(1, countHeld(sides)));
    for (let s = 0; s < sides.length; s++) weights[s] = sides[s]! * share;
  };
}

function fixedWeights(shares: Float64Array): Weigher['weigh'] {
  return (sides, _row, weights) => {
    for (let s = 0; s < sides.length; s++) weights[s] = sides[s]! * shares[s]!;
  };
}

/** Annual, of instrument `s` at a row. */
type VolatilityAt = ValueAt;

type ValueAt = (s: number, row: number) => number;

type VolatilityWeighting = Extract<Weighting, { type: 'inverse_volatility' | 'volatility_target' }>;

function volatilityWeights(
  weighting: VolatilityWeighting,
  { gross, whole }: { readonly gross: number; readonly whole: number },
  volatilityAt: VolatilityAt,
): Weigher['weigh'] {
  return (sides, row, weights) => {
    let sum = 0;
    for (let s = 0; s < sides.length; s++) {
      weights[s] = 0;
      if (sides[s] === 0) continue;
      const volatility = volatilityAt(s, row);
      // Without a measured volatility it cannot be sized: the instrument waits.
      if (!(volatility > 0)) continue;
      weights[s] = sides[s]! / volatility;
      sum += 1 / volatility;
    }
    if (sum === 0) return;
    const factor =
      weighting.type === 'inverse_volatility' ? gross / sum : targetFactor(weighting, sides, whole);
    const cap = Math.min(factor, gross / sum);
    for (let s = 0; s < sides.length; s++) weights[s] = weights[s]! * cap;
  };
}

/** What 1 / volatility is multiplied by: the share of one instrument × the targeted volatility. */
function targetFactor(
  weighting: Extract<Weighting, { type: 'volatility_target' }>,
  sides: Int8Array,
  whole: number,
): number {
  const shares = weighting.over === 'universe' ? whole : Math.max(1, countHeld(sides));
  return weighting.annualPercent / 100 / shares;
}

/** A value on the side that is held counts by its size; one on the other side, or none, gets nothing. */
function convictionWeights(
  { maxPercent = 100 }: Extract<Weighting, { type: 'conviction' }>,
  gross: number,
  convictionAt: ValueAt,
): Weigher['weigh'] {
  const most = maxPercent / 100;
  return (sides, row, weights) => {
    let sum = 0;
    for (let s = 0; s < sides.length; s++) {
      const conviction = sides[s] === 0 ? 0 : sides[s]! * convictionAt(s, row);
      weights[s] = conviction > 0 && conviction < Number.POSITIVE_INFINITY ? conviction : 0;
      sum += weights[s]!;
    }
    for (let s = 0; s < sides.length; s++) {
      // What the cap cuts off stays in cash.
      weights[s] = weights[s] === 0 ? 0 : sides[s]! * Math.min(most, (gross * weights[s]!) / sum);
    }
  };
}

function countHeld(sides: Int8Array): number {
  let held = 0;
  for (let s = 0; s < sides.length; s++) if (sides[s] !== 0) held++;
  return held;
}
