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
  const { weighting, gross, universe, periodsPerYear } = definition;
  const length = 'length' in weighting ? weighting.length : 0;
  const columns =
    length === 0 ? [] : instruments.map(({ bars }) => annualVolatility(bars, length, periodsPerYear));
  const volatilityAt: VolatilityAt = (s, row) => {
    const bar = barAt(instruments[s]!, row);
    return bar < 0 ? Number.NaN : columns[s]![bar]!;
  };
  switch (weighting.type) {
    case 'equal':
      return { moves: false, weigh: equalWeights(weighting.over, gross) };
    case 'fixed': {
      const shares = Float64Array.from(universe, (symbol) => (weighting.weights[symbol] ?? 0) * gross);
      return { moves: false, weigh: fixedWeights(shares) };
    }
    case 'inverse_volatility':
    case 'volatility_target':
      return { moves: true, weigh: volatilityWeights(weighting, gross, volatilityAt) };
  }
}

function equalWeights(over: 'universe' | 'held', gross: number): Weigher['weigh'] {
  return (sides, _row, weights) => {
    const share = gross / (over === 'universe' ? sides.length : Math.max(1, countHeld(sides)));
    for (let s = 0; s < sides.length; s++) weights[s] = sides[s]! * share;
  };
}

function fixedWeights(shares: Float64Array): Weigher['weigh'] {
  return (sides, _row, weights) => {
    for (let s = 0; s < sides.length; s++) weights[s] = sides[s]! * shares[s]!;
  };
}

/** Annual, of instrument `s` at a row. */
type VolatilityAt = (s: number, row: number) => number;

type VolatilityWeighting = Extract<Weighting, { type: 'inverse_volatility' | 'volatility_target' }>;

function volatilityWeights(
  weighting: VolatilityWeighting,
  gross: number,
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
    const factor = weighting.type === 'inverse_volatility' ? gross / sum : targetFactor(weighting, sides);
    const cap = Math.min(factor, gross / sum);
    for (let s = 0; s < sides.length; s++) weights[s] = weights[s]! * cap;
  };
}

/** What 1 / volatility is multiplied by: the share of one instrument × the targeted volatility. */
function targetFactor(
  weighting: Extract<Weighting, { type: 'volatility_target' }>,
  sides: Int8Array,
): number {
  const shares = weighting.over === 'universe' ? sides.length : Math.max(1, countHeld(sides));
  return weighting.annualPercent / 100 / shares;
}

function countHeld(sides: Int8Array): number {
  let held = 0;
  for (let s = 0; s < sides.length; s++) if (sides[s] !== 0) held++;
  return held;
}
