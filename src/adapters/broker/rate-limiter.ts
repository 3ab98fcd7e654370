// One user's share of the vendor's limits: a maximum of requests per sliding window, a short queue, most urgent first.
import { wallInstant } from '#units/wall-instant.ts';
import type { Exchange } from './exchange.ts';
import type { BackOff, Priority, RateLimits } from './rate-limits.ts';
import { createRequestQueue, WAIT_MAX_MS } from './request-queue.ts';
import { ARRIVAL_MAX_MS, createRequestWindow } from './request-window.ts';

/**
 * What all processes share: one user's slots on the spaced paths, and the vendor's penalty on our address. A slot whose
 * process died without releasing it is free once the vendor's spacing has passed.
 */
export type SharedRateLimiter = {
  /** Acquires the slot for `ms` milliseconds. Returns 0, or how many milliseconds another process still holds it. */
  acquire(path: string, terms: { readonly ms: number; readonly spacingMs: number }): Promise<number>;
  /** Frees the acquired slot `ms` milliseconds from now. */
  release(path: string, ms: number): Promise<void>;
  /** For how many milliseconds the vendor still penalises us; 0 when it does not. */
  penaltyMs(): Promise<number>;
  /** The vendor penalises us for `ms` milliseconds from now. */
  penalise(ms: number): Promise<void>;
};

export type RateLimiter = {
  /**
   * Sends one request once the limits allow it. It is not sent during a back-off, or when the wait or the queue is too
   * long; an answer of 429 begins a back-off.
   */
  run(path: string, priority: Priority, send: () => Promise<Exchange>): Promise<Exchange>;
};

export function createRateLimiter(
  limits: RateLimits,
  backOff: BackOff,
  now: () => number,
  shared: SharedRateLimiter | null = null,
): RateLimiter {
  const window = createRequestWindow(limits, now);
  const queue = createRequestQueue(window, { backOff, now });

  const runHere = async (
    prefix: string | null,
    priority: Priority,
    send: () => Promise<Exchange>,
  ): Promise<Exchange> => {
    const sent = await queue.admit(prefix, priority);
    if (sent === null) return notNow(backOff, now());
    try {
      if (await isPenalised(shared, { backOff, now })) return PENALISED;
      const result = await send();
      if (result.kind === 'answered' && result.status === 429) {
        backOff.until = now() + limits.backOffMs;
        await shared?.penalise(limits.backOffMs).catch(() => undefined);
      }
      return result;
    } finally {
      window.arrive(sent);
    }
  };

  return {
    async run(path, priority, send) {
      const prefix = Object.keys(limits.spacingMs).find((key) => path.startsWith(key)) ?? null;
      if (shared === null || prefix === null) return runHere(prefix, priority, send);
      const spacing = limits.spacingMs[prefix] ?? 0;
      const acquiredAt = await acquireSlot(shared, prefix, { spacingMs: spacing, now, backOff });
      if (acquiredAt === null) return notNow(backOff, now());
      try {
        // A request that waited too long for the rate no longer holds its slot.
        return await runHere(prefix, priority, () =>
          now() - acquiredAt < SLOT_MAX_MS - ARRIVAL_MAX_MS ? send() : Promise.resolve(OUT_OF_BUDGET),
        );
      } finally {
        await shared.release(prefix, spacing).catch(() => undefined);
      }
    },
  };
}

/** Whether the vendor's penalty on us lasts, by what any process knows. */
async function isPenalised(
  shared: SharedRateLimiter | null,
  { backOff, now }: { readonly backOff: BackOff; readonly now: () => number },
): Promise<boolean> {
  if (shared === null) return false;
  const left = await shared.penaltyMs().catch(() => 0);
  if (left > 0) backOff.until = Math.max(backOff.until, now() + left);
  return left > 0;
}

/** Waits for the slot. Returns when it was acquired, or null if it was not free in time or its owner is unknown. */
async function acquireSlot(
  shared: SharedRateLimiter,
  prefix: string,
  {
    spacingMs,
    now,
    backOff,
  }: { readonly spacingMs: number; readonly now: () => number; readonly backOff: BackOff },
): Promise<number | null> {
  const giveUpAt = now() + WAIT_MAX_MS;
  while (now() >= backOff.until && now() < giveUpAt) {
    const acquiredAt = now();
    const left = await shared.acquire(prefix, { ms: SLOT_MAX_MS + spacingMs, spacingMs }).catch(() => null);
    if (left === null) return null;
    if (left === 0) return acquiredAt;
    await new Promise((done) => setTimeout(done, Math.min(left, LOOK_AGAIN_MS)));
  }
  return null;
}

function notNow({ until }: BackOff, now: number): Exchange {
  return now < until ? { ...PENALISED, until: wallInstant(Math.ceil(until)) } : OUT_OF_BUDGET;
}

const OUT_OF_BUDGET: Exchange = {
  kind: 'not_sent',
  code: 'rate_limited',
  reason: 'our own rate limit is used up',
};
const PENALISED = {
  kind: 'not_sent',
  code: 'rate_limited',
  reason: 'the broker has asked us to send nothing for a while',
} as const;
/** The longest time a slot is held before its request has been sent and has arrived. */
const SLOT_MAX_MS = 10_000;
const LOOK_AGAIN_MS = 500;
