/**
 * Whether this window hears the stream, its own or that of another window; while it does, polling is rarer. The stream
 * gives a sign of life every 15 s; after some of them have not come it counts as silent.
 */
export function isLive(): boolean {
  return performance.now() - lastHeardAt < STALE_AFTER_MS;
}

export function noteHeard(): void {
  lastHeardAt = performance.now();
}

export function noteSilence(): void {
  lastHeardAt = Number.NEGATIVE_INFINITY;
}

export const STALE_AFTER_MS = 40_000;
let lastHeardAt = Number.NEGATIVE_INFINITY;
