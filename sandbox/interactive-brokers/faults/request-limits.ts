// The published limits: ten requests a second per user, and paths that allow one request every few seconds.
import type { FastifyRequest } from 'fastify';

type RequestLimits = {
  /** Counts the request, and returns whether it came too early. */
  isTooFast(request: FastifyRequest): boolean;
  clear(): void;
};

export function createRequestLimits(realNow: () => number): RequestLimits {
  const recent = new Map<string, number[]>();
  const lastOf = new Map<string, number>();

  return {
    clear() {
      recent.clear();
      lastOf.clear();
    },
    isTooFast(request) {
      const user = /oauth_token="?([^",]+)|Bearer (\S+)/.exec(request.headers.authorization ?? '')?.[0] ?? '';
      const now = realNow();
      const within = (recent.get(user) ?? []).filter((at) => now - at < 1_000);
      within.push(now);
      recent.set(user, within);
      if (within.length > PER_SECOND) return true;
      const spaced = SPACING_MS.find(([pattern]) => pattern.test(request.url));
      if (!spaced) return false;
      const key = `${user} ${String(spaced[0])}`;
      const last = lastOf.get(key);
      lastOf.set(key, now);
      return last !== undefined && now - last < spaced[1];
    },
  };
}

const PER_SECOND = 10;
const SPACING_MS: readonly (readonly [RegExp, number])[] = [
  [/\/iserver\/account\/orders(\?|$)/, 5_000],
  [/\/iserver\/account\/trades(\?|$)/, 5_000],
  [/\/portfolio\/accounts(\?|$)/, 5_000],
  [/\/tickle(\?|$)/, 1_000],
];
