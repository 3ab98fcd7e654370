// How long to wait before the next of several tries at the same thing: twice as long after each.

export type Tries = { readonly count: number; readonly lastAt: number };

export type BackOff = { readonly firstMs: number; readonly maxMs: number };

/** Undefined: nothing was tried yet. Both times are of one clock. */
export function isTryDue(tries: Tries | undefined, now: number, backOff: BackOff): boolean {
  return tries === undefined || now - tries.lastAt >= waitAfter(tries.count, backOff);
}

/** After so many tries, 1 at least. */
export function waitAfter(count: number, { firstMs, maxMs }: BackOff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX));
}

export function nextTry(tries: Tries | undefined, now: number): Tries {
  return { count: (tries?.count ?? 0) + 1, lastAt: now };
}

const DOUBLINGS_MAX = 30;
