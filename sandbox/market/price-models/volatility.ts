// Volatility that clusters: a variance multiplier around 1 that rises after large moves, more after falls
// (Glosten, Jagannathan, Runkle, Journal of Finance 48, 1993), fed with fat-tailed shocks.
import type { Draws } from './random.ts';

type Clustering = {
  /** The multiplier of today's variance. */
  readonly variance: number;
  /** Takes today's standardised shock and moves on to tomorrow. */
  next(shock: number): void;
};

export function clustering(): Clustering {
  let variance = 1;
  return {
    get variance() {
      return variance;
    },
    next(shock) {
      const squared = shock * shock * variance;
      const grown =
        BASE + PERSISTENCE * variance + REACTION * squared + (shock < 0 ? FALL_REACTION * squared : 0);
      variance = Math.min(grown, VARIANCE_MAX);
    },
  };
}

/** A shock of unit variance with fat tails: a mixture of a narrow and, one day in twelve, a wide normal. */
export function fatTailedShock(today: Draws, index: number): number {
  const wide = today.uniform(index) < 1 / 12;
  const shock = today.normal(index) * Math.sqrt(wide ? 2.7 : 0.8455);
  return Math.max(-SHOCK_MAX, Math.min(SHOCK_MAX, shock));
}

const PERSISTENCE = 0.87;
const REACTION = 0.06;
const FALL_REACTION = 0.1;
/** Makes the long-run mean 1. */
const BASE = 1 - PERSISTENCE - REACTION - FALL_REACTION / 2;
const VARIANCE_MAX = 6;
const SHOCK_MAX = 4.5;
