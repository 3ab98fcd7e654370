// How long to wait before the next of several tries at the same thing: twice as long after each.

import { msBetween, type WallInstant } from '#units/wall-instant.ts';

export type Tries = { readonly count: number; readonly lastAt: WallInstant };

export type BackOff = { readonly firstMs: number; readonly maxMs: number };

/** Undefined: nothing was tried yet. */
export function isTryDue(tries: Tries | undefined, now: WallInstant, backOff: BackOff): boolean {
  return tries === undefined || msBetween(tries.lastAt, now) >= waitAfter(tries.count, backOff);
}

/** After so many tries, 1 at least. */
export function waitAfter(count: number, { firstMs, maxMs }: BackOff): number {
  let waitMs = firstMs;
  for (let tried = 1; tried < count && waitMs < maxMs; tried++) waitMs *= 2;
  return Math.min(maxMs, waitMs);
}

export function nextTry(tries: Tries | undefined, now: WallInstant): Tries {
  return { count: (tries?.count ?? 0) + 1, lastAt: now };
}
