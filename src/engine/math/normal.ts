// The standard normal distribution from the engine's own exp and log: the same bits everywhere, errors below 1e-15
// for the distribution and 1e-13 for its quantile.
import { exp } from './exp.ts';
import { log } from './log.ts';

/** P(Z <= z). Series around zero (Marsaglia, Evaluating the Normal Distribution, 2004), continued fraction beyond. */
export function normalDistribution(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (z < -SERIES_LIMIT) return upperTail(-z);
  if (z > SERIES_LIMIT) return 1 - upperTail(z);
  let term = z;
  let sum = z;
  for (let k = 3; Math.abs(term) > 1e-18 * Math.abs(sum); k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return 0.5 + sum * normalDensity(z);
}

function normalDensity(z: number): number {
  return exp(-0.5 * z * z) / SQRT_TWO_PI;
}

/** The z with P(Z <= z) = p: a start good to 3 digits (Abramowitz & Stegun 26.2.23), then Halley's steps. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 1) return Number.POSITIVE_INFINITY;
  if (p > 0.5) return -lowerQuantile(1 - p);
  return lowerQuantile(p);
}

function lowerQuantile(p: number): number {
  const t = Math.sqrt(-2 * log(p));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  let z = above / below - t;
  for (let step = 0; step < 4; step++) {
    const error = (normalDistribution(z) - p) / normalDensity(z);
    z -= error / (1 + (z * error) / 2);
  }
  return z;
}

/** P(Z > z) for a large z, by Laplace's continued fraction. */
function upperTail(z: number): number {
  let fraction = z;
  for (let k = 120; k > 0; k--) fraction = z + k / fraction;
  return normalDensity(z) / fraction;
}

/** Beyond it the series would lose digits to cancellation; up to it the fraction would need too many terms. */
const SERIES_LIMIT = 2.5;
const SQRT_TWO_PI = 2.5066282746310002;
