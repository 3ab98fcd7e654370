// Which requests one user has sent lately, and whether another one may leave: so many in a sliding window, and a least
// time between two on the same spaced path.
import type { RateLimits } from './rate-limits.ts';

export type SentRequest = {
  readonly at: number;
  /** No later than the answer; null until then. */
  arrivedAt: number | null;
};

export type RequestWindow = {
  /** Whether one on this path, or on none that is spaced, may leave now. */
  isOpen(prefix: string | null): boolean;
  send(prefix: string | null): SentRequest;
  arrive(sent: SentRequest): void;
  /** Takes what has had no answer for too long as arrived. */
  expire(): void;
};

/**
 * The vendor counts when requests arrive, and we know only that it was between sending and the answer. So a request
 * counts from its answer: whatever the network or a busy machine does to it, the vendor never sees two too close.
 */
export function createRequestWindow(limits: RateLimits, now: () => number): RequestWindow {
  const requestsMax = Math.max(1, Math.ceil(limits.requestsPerSecond));
  const windowMs = (requestsMax / limits.requestsPerSecond) * 1_000;
  const lastByPrefix = new Map<string, SentRequest>();
  /** Under way, oldest first. */
  const unanswered = new Set<SentRequest>();
  /** When the last requests had arrived, oldest first: a bucket would let twice the rate pass in its first second. */
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

/** What has no answer for so long has arrived or never will: a vendor that hangs must not hold up a cancellation. */
export const ARRIVAL_MAX_MS = 2_000;
