import { describe, expect, it } from 'vitest';
import { normalQuantile } from '../../math/normal.ts';
import { backtestOverfitting } from './backtest-overfitting.ts';
import { deflatedSharpe, expectedMaximum } from './deflated-sharpe.ts';
import { minimumTrackRecord } from './minimum-track-record.ts';
import { probabilisticSharpe } from './probabilistic-sharpe.ts';

const normal = { sharpe: 0.458, periods: 24, skewness: 0, kurtosis: 3 };

/** Independent normal draws from a seed (a 31-bit Lehmer generator). */
function draws(seed: number, count: number, mean = 0): Float64Array {
  let state = seed;
  return Float64Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647;
    return mean + 0.01 * normalQuantile(state / 2147483647);
  });
}

describe('the deflated Sharpe ratio', () => {
  it('gives the figures of the paper: 98.2% if normal, 91.3% with fat tails', () => {
    expect(probabilisticSharpe(normal)).toBeCloseTo(0.982, 3);
    expect(probabilisticSharpe({ ...normal, skewness: -2.448, kurtosis: 10.164 })).toBeCloseTo(0.913, 3);
  });

  it('is the probabilistic one when only one variant was ever tried, and falls with every further try', () => {
    const trials = (count: number) => ({ count, sharpeVariance: 0.01 });
    expect(deflatedSharpe(normal, trials(1))).toBe(probabilisticSharpe(normal));
    const falling = [1, 2, 10, 100, 1000].map((count) => deflatedSharpe(normal, trials(count)));
    expect(falling).toEqual([...falling].sort((left, right) => right - left));
    expect(new Set(falling).size).toBe(5);
  });

  it('refuses less than one try', () => {
    expect(() => expectedMaximum(0)).toThrow(RangeError);
  });

  it('never has enough track record for a Sharpe ratio at or below the benchmark', () => {
    expect(minimumTrackRecord({ ...normal, sharpe: 0.1 }, { benchmark: 0.1, probability: 0.95 })).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});

describe('the probability of backtest overfitting', () => {
  it('is near one half on average when no variant has skill', () => {
    const probabilities = Array.from({ length: 30 }, (_, set) => {
      const noise = Array.from({ length: 40 }, (_, i) => draws(1_000_003 + 7_919 * (40 * set + i), 200));
      const { probability, logits } = backtestOverfitting(noise, 8);
      expect(logits).toHaveLength(70);
      return probability;
    });
    const average = probabilities.reduce((sum, value) => sum + value, 0) / probabilities.length;
    expect(average).toBeGreaterThan(0.4);
    expect(average).toBeLessThan(0.6);
  });

  it('is zero when one variant is better in every block', () => {
    const variants = [draws(5, 200, 0.02), ...Array.from({ length: 9 }, (_, i) => draws(90 + i, 200, -0.02))];
    expect(backtestOverfitting(variants, 8)).toMatchObject({ probability: 0, lossProbability: 0 });
  });

  it('is one when what wins in one half always loses in the other', () => {
    const rise = Float64Array.from({ length: 40 }, (_, i) => (i < 20 ? 0.02 : -0.02) + (i % 2) * 0.001);
    const fall = rise.map((value) => -value);
    expect(backtestOverfitting([rise, fall], 2)).toMatchObject({ probability: 1, lossProbability: 1 });
  });

  it('refuses shapes that cannot be split in halves', () => {
    const two = [draws(1, 40), draws(2, 40)];
    expect(() => backtestOverfitting(two, 5)).toThrow('even number');
    expect(() => backtestOverfitting([two[0]!], 4)).toThrow('two variants');
    expect(() => backtestOverfitting([two[0]!, draws(3, 39)], 4)).toThrow('same periods');
    expect(() => backtestOverfitting(two, 16)).not.toThrow();
  });
});
