// Lighthouse's performance score, computed from our own measures: its log-normal curves and weights (version 12, mobile;
// GoogleChrome/lighthouse, core/config/default-config.js and core/lib/statistics.js).
import type { Load } from './load.ts';

/** A value at p10 scores 90, one at the median 50. */
type Curve = { readonly weight: number; readonly p10: number; readonly median: number };

const CURVES: Readonly<Record<'fcp' | 'lcp' | 'tbt' | 'cls' | 'speedIndex', Curve>> = {
  fcp: { weight: 10, p10: 1_800, median: 3_000 },
  speedIndex: { weight: 10, p10: 3_387, median: 5_800 },
  lcp: { weight: 25, p10: 2_500, median: 4_000 },
  tbt: { weight: 30, p10: 200, median: 600 },
  cls: { weight: 25, p10: 0.1, median: 0.25 },
};

/** 0 to 100. The speed index needs a film of the page; the largest paint, which is never earlier, replaces it. */
export function performanceScore(load: Load): number {
  const values = { ...load, speedIndex: load.lcp };
  const entries = Object.entries(CURVES) as [keyof typeof CURVES, Curve][];
  return entries.reduce((sum, [name, curve]) => sum + curve.weight * scoreOf(values[name], curve), 0);
}

/** The inverse complementary error function of one fifth: where the curve passes p10. */
const INVERSE_ERFC_ONE_FIFTH = 0.9061938024368232;

export function scoreOf(value: number, { p10, median }: Pick<Curve, 'p10' | 'median'>): number {
  if (value <= 0) return 1;
  const distance = (Math.log(value / median) * INVERSE_ERFC_ONE_FIFTH) / -Math.log(p10 / median);
  return (1 - errorFunction(distance)) / 2;
}

/** Abramowitz and Stegun, 7.1.26; off by at most 1.5e-7. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}
