// When a token that signs requests is renewed. It promises that a token of any life is renewed once in its last fifth,
// and that a failed renewal costs nothing while the old one is valid.

export type TokenLife = {
  /** On the real clock. */
  readonly renewAt: number;
  readonly endsAt: number;
};

/**
 * An hour before its end, or in the last fifth of a short life. The vendor's documentation disagrees on whether its field
 * is the end of the token's day or the start, so that what lies in the past, or next to now, is the start.
 */
export function tokenLife(now: number, expiration: number | null): TokenLife {
  const isEnd = expiration !== null && expiration > now + CLOCKS_DIFFER_MS;
  const endsAt = isEnd ? Math.min(expiration, now + DAY) : now + DAY;
  return { renewAt: endsAt - Math.min(HOUR, (endsAt - now) / 5), endsAt };
}

/** After a renewal that failed: the old token serves on, and renewal is tried again a little later. */
export function afterFailedRenewal({ endsAt }: TokenLife, now: number): TokenLife | null {
  return now < endsAt ? { renewAt: Math.min(endsAt, now + TRY_AGAIN_MS), endsAt } : null;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CLOCKS_DIFFER_MS = 60_000;
const TRY_AGAIN_MS = 30_000;
