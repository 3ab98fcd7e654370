// The recent requests of one user, and whether another may be sent: a maximum per sliding window, and a minimum time
// between two on the same spaced path.
import type { RateLimits } from './rate-limits.ts';

export type SentRequest = {
  readonly at: number;
  /** No later than the answer; null until then. */
  arrivedAt: number | null;
};

export type RequestWindow = {
  /** Whether a request on this path, or on an unspaced one, may be sent now. */
  isOpen(prefix: string | null): boolean;
  send(prefix: string | null): SentRequest;
  arrive(sent: SentRequest): void;
  /** Counts requests unanswered for too long as arrived. */
  expire(): void;
};

/**
 * The vendor counts a request when it arrives, and we know only that it was between sending and the answer. So a
 * request counts from its answer: despite network or machine delays, the vendor never sees two too close together.
 */
export function createRequestWindow(limits: RateLimits, now: () => number): RequestWindow {
  const requestsMax = Math.max(1, Math.ceil(limits.requestsPerSecond));
  const windowMs = (requestsMax / limits.requestsPerSecond) * 1_000;
  const lastByPrefix = new Map<string, SentRequest>();
  /** In flight, oldest first. */
  const unanswered = new Set<SentRequest>();
  /** Arrival times of the last requests, oldest first: a bucket would allow twice the rate in its first second. */
  const arrivals: number[] = [];

  const arrive = (sent: SentRequest) => {
    if (!unanswered.delete(sent)) return;
    sent.arrivedAt = now();
    arrivals.push(sent.arrivedAt);
  };
  const hasRoom = () => {
    while (arrivals.length > 0 && now() - (arrivals[0] ?? 0) >= windowMs) arrivals.shift();
    return unanswered.size + arrivals.length < requestsMax;
  };
  const isSpaced = (prefix: string | null) => {
    const last = prefix ? lastByPrefix.get(prefix) : undefined;
    if (!prefix || !last) return true;
    return last.arrivedAt !== null && now() - last.arrivedAt >= (limits.spacingMs[prefix] ?? 0);
  };

  return {
    isOpen: (prefix) => hasRoom() && isSpaced(prefix),
    send(prefix) {
      const sent: SentRequest = { at: now(), arrivedAt: null };
      unanswered.add(sent);
      if (prefix) lastByPrefix.set(prefix, sent);
      return sent;
    },
    arrive,
    expire() {
      for (const sent of unanswered) if (now() - sent.at >= ARRIVAL_MAX_MS) arrive(sent);
    },
  };
}

/** A request unanswered for this long has arrived or never will: an unresponsive vendor must not delay a cancellation. */
export const ARRIVAL_MAX_MS = 2_000;
