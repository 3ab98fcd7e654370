// The quotes of one day: a bridge from open to close whose steps are half shared with the group of its kind.
// The bar of the day is read off the same points, so that live quotes and history can never disagree.
import type { DayShape } from './day-shape.ts';
import { coarseNormal, rootOf } from './random.ts';

/** Quotes of a day; each covers an equal part of the session. */
export const POINTS_PER_DAY = 80;

export type PathSource = {
  readonly seed: number;
  /** The stream of the instrument, and of the group that it moves with. */
  readonly stream: number;
  readonly groupStream: number;
  readonly priceDecimals: number;
};

/** The shared steps of a group on one day, to be used for every member. */
export function groupSteps(seed: number, groupStream: number, day: number): Float64Array {
  const root = rootOf(seed, groupStream, day);
  const steps = new Float64Array(POINTS_PER_DAY);
  for (let i = 1; i < POINTS_PER_DAY; i++) steps[i] = coarseNormal(root, i);
  return steps;
}

/** Log prices of the day's points, written into `path`; returns it. */
export function logPath(
  source: PathSource,
  day: number,
  shape: DayShape,
  shared: Float64Array,
  path: Float64Array,
): Float64Array {
  const root = rootOf(source.seed, source.stream, day);
  const last = POINTS_PER_DAY - 1;
  const scale = shape.deviation / Math.sqrt(last);
  let walk = 0;
  path[0] = 0;
  for (let i = 1; i <= last; i++) {
    walk += scale * (SHARED_WEIGHT * shared[i]! + OWN_WEIGHT * coarseNormal(root, i));
    path[i] = walk;
  }
  const slope = (shape.logClose - shape.logOpen - walk) / last;
  for (let i = 0; i <= last; i++) path[i] = shape.logOpen + path[i]! + slope * i;
  return path;
}

export function roundPrice(price: number, decimals: number): number {
  const scale = SCALES[decimals]!;
  return Math.max(1, Math.round(price * scale)) / scale;
}

/** The prices of the day's points. */
export function pricePath(
  source: PathSource,
  day: number,
  shape: DayShape,
  shared: Float64Array,
): Float64Array {
  const path = logPath(source, day, shape, shared, new Float64Array(POINTS_PER_DAY));
  return path.map((log) => roundPrice(Math.exp(log), source.priceDecimals));
}

const SHARED_WEIGHT = 0.6;
const OWN_WEIGHT = 0.8;
const SCALES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
