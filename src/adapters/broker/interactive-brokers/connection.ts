// One authorised connection: paces, authorises and sends, and respects the vendor's penalties.
import { createHash } from 'node:crypto';
import type { BrokerAnswer } from '#ports/broker.ts';
import { type WallInstant, wallInstant } from '#units/wall-instant.ts';
import { type Exchange, exchange, HELD_BACK, urlOf } from '../exchange.ts';
import type { BackOff, Priority } from '../rate-limits.ts';
import { GONE } from './failure-of.ts';
import { createRateLimiter, type RateLimiter } from '../rate-limiter.ts';
import type { Authorizer, Permit } from './sign-in/authorizer.ts';
import { type CommonConfig, PUBLISHED_RATE_LIMITS } from './config.ts';

export type Ask = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly priority: Priority;
  /** Checked last before the request is sent; see the port's submitOrder. */
  readonly mayLeave?: () => boolean;
};

export type Connection = {
  /** Sends once. */
  send(ask: Ask): Promise<Exchange>;
  /** Sends, and retries once with a new permit if the first was refused. Only for idempotent requests. */
  query(ask: Ask): Promise<Exchange>;
  /** Ensures that there is a permit. */
  signIn(): Promise<BrokerAnswer<Permit>>;
  /** When the last answer arrived that was not a vendor failure. */
  readonly answeredAt: WallInstant | null;
};

export function openConnection(
  config: CommonConfig,
  authorizer: Authorizer,
  limiter: RateLimiter,
): Connection {
  const now = config.now ?? Date.now;
  let answeredAt: WallInstant | null = null;

  const send = async (ask: Ask): Promise<Exchange> => {
    const permit = await authorizer.permit();
    if (permit.outcome === 'failed') return { kind: 'not_sent', code: permit.code, reason: permit.reason };
    const { method, query, json } = ask;
    const url = `${config.baseUrl}${ask.path}`;
    const result = await limiter.run(ask.path, ask.priority, async (): Promise<Exchange> => {
      if (ask.mayLeave?.() === false) return HELD_BACK;
      return exchange({
        method,
        url: urlOf(url, query),
        headers: { authorization: permit.value.header({ method, url, query }) },
        json,
        timeoutMs: config.timeoutMs,
        fetch: config.fetch,
      });
    });
    if (result.kind !== 'answered') return result;
    if (result.status < 500) answeredAt = wallInstant(now());
    if (TURNED_AWAY.has(result.status)) authorizer.forget(permit.value);
    return result;
  };

  return {
    send,
    async query(ask) {
      const first = await send(ask);
      return first.kind === 'answered' && TURNED_AWAY.has(first.status) ? send(ask) : first;
    },
    signIn: () => authorizer.permit(),
    get answeredAt() {
      return answeredAt;
    },
  };
}

/** The limits are per user, across all their connections; a back-off applies to all users behind one address. */
export function createRateLimiters(config: CommonConfig): (user: string) => RateLimiter {
  const backOff: BackOff = { until: 0 };
  const limiters = new Map<string, RateLimiter>();
  return (user) => {
    let limiter = limiters.get(user);
    if (!limiter) {
      const shared = config.sharedLimiterOf?.(createHash('sha256').update(user).digest('hex'));
      limiter = createRateLimiter(
        config.rateLimits ?? PUBLISHED_RATE_LIMITS,
        backOff,
        config.now ?? Date.now,
        shared,
      );
      limiters.set(user, limiter);
    }
    return limiter;
  };
}

export function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

const TURNED_AWAY: ReadonlySet<number> = new Set([401, GONE]);
