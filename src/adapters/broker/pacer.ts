// One signed-in user's share of the vendor's limits: so many requests in a sliding window, a short queue, the urgent first.
import type { Exchange } from './exchange.ts';

/** How fast one signed-in user may ask. */
export type Pacing = {
  readonly requestsPerSecond: number;
  /** Least time between two calls whose path starts with the key, in milliseconds. */
  readonly spacingMs: { readonly [pathPrefix: string]: number };
  /** How long nothing is sent after the vendor answered 429. */
  readonly penaltyMs: number;
};

/** Most urgent first: taking risk off goes before looking, looking before taking risk on. */
export const PRIORITIES = ['cancel', 'liquidate', 'reconcile', 'open'] as const;
export type Priority = (typeof PRIORITIES)[number];

/**
 * The turns of one user at the paths that are spaced, shared by all processes that ask for that user. A turn that is
 * not left, because its process died, ends by itself.
 */
export type SharedTurns = {
  /** Takes the turn for `ms` milliseconds: 0, or how many milliseconds it is still another's. */
  take(path: string, ms: number): Promise<number>;
  /** The turn that was taken is free `ms` milliseconds from now. */
  leave(path: string, ms: number): Promise<void>;
};

/** Shared by all users behind one address, because the vendor punishes the address. */
export type PenaltyBox = { until: number };

export type Pacer = {
  /**
   * Sends one request once it has leave. It is not sent when the box is closed, or the wait or the queue is too long; an
   * answer of 429 closes the box.
   */
  run(path: string, priority: Priority, send: () => Promise<Exchange>): Promise<Exchange>;
};

/**
 * The vendor counts when requests arrive, and we know only that it was between sending and the answer. So a request
 * counts from its answer: whatever the network or a busy machine does to it, the vendor never sees two too close.
 */
export function createPacer(
  pacing: Pacing,
  box: PenaltyBox,
  now: () => number,
  turns: SharedTurns | null = null,
): Pacer {
  const queues = new Map<Priority, Waiting[]>(PRIORITIES.map((priority) => [priority, []]));
  const lastByPrefix = new Map<string, Sent>();
  const window = windowOf(pacing.requestsPerSecond);
  /** Under way, oldest first. */
  const unanswered = new Set<Sent>();
  /** When the last requests had arrived, oldest first: a bucket would let twice the rate pass in its first second. */
  const arrivals: number[] = [];
  let timer: NodeJS.Timeout | null = null;

  const arrive = (sent: Sent) => {
    if (!unanswered.delete(sent)) return;
    sent.arrivedAt = now();
    arrivals.push(sent.arrivedAt);
  };

  const hasRoom = () => {
    while (arrivals.length > 0 && now() - (arrivals[0] ?? 0) >= window.ms) arrivals.shift();
    return unanswered.size + arrivals.length < window.requests;
  };

  const take = ({ prefix, resolve }: Waiting) => {
    const sent: Sent = { at: now(), arrivedAt: null };
    unanswered.add(sent);
    if (prefix) lastByPrefix.set(prefix, sent);
    resolve(sent);
  };

  const isDue = ({ prefix }: Waiting) => {
    const last = prefix ? lastByPrefix.get(prefix) : undefined;
    if (!prefix || !last) return true;
    return last.arrivedAt !== null && now() - last.arrivedAt >= (pacing.spacingMs[prefix] ?? 0);
  };

  const drain = () => {
    timer = null;
    for (const sent of unanswered) if (now() - sent.at >= ARRIVAL_MAX_MS) arrive(sent);
    for (const priority of PRIORITIES) {
      const queue = queues.get(priority) ?? [];
      const stay: Waiting[] = [];
      for (const waiting of queue) {
        if (now() < box.until || now() >= waiting.giveUpAt) waiting.resolve(null);
        else if (hasRoom() && isDue(waiting)) take(waiting);
        else stay.push(waiting);
      }
      queues.set(priority, stay);
    }
    if (waitingCount() > 0) timer = setTimeout(drain, RETRY_MS);
  };

  const waitingCount = () => {
    let count = 0;
    for (const queue of queues.values()) count += queue.length;
    return count;
  };

  const admit = (prefix: string | null, priority: Priority): Promise<Sent | null> => {
    if (now() < box.until || waitingCount() >= QUEUE_MAX) return Promise.resolve(null);
    return new Promise((resolve) => {
      queues.get(priority)?.push({ prefix, resolve, giveUpAt: now() + WAIT_MAX_MS });
      if (timer) clearTimeout(timer);
      drain();
    });
  };

  const runHere = async (
    prefix: string | null,
    priority: Priority,
    send: () => Promise<Exchange>,
  ): Promise<Exchange> => {
    const sent = await admit(prefix, priority);
    if (sent === null) return OUT_OF_BUDGET;
    try {
      const result = await send();
      if (result.kind === 'answered' && result.status === 429) box.until = now() + pacing.penaltyMs;
      return result;
    } finally {
      arrive(sent);
    }
  };

  return {
    async run(path, priority, send) {
      const prefix = Object.keys(pacing.spacingMs).find((key) => path.startsWith(key)) ?? null;
      if (turns === null || prefix === null) return runHere(prefix, priority, send);
      const spacing = pacing.spacingMs[prefix] ?? 0;
      const takenAt = await takeTurn(turns, prefix, { ms: TURN_MAX_MS + spacing, now, box });
      if (takenAt === null) return OUT_OF_BUDGET;
      try {
        // Whoever waited here too long for the rate has its turn no more.
        return await runHere(prefix, priority, () =>
          now() - takenAt < TURN_MAX_MS - ARRIVAL_MAX_MS ? send() : Promise.resolve(OUT_OF_BUDGET),
        );
      } finally {
        await turns.leave(prefix, spacing).catch(() => undefined);
      }
    },
  };
}

/** Waits for the turn; when it was taken, or null when it did not come in time or nobody can say whose it is. */
async function takeTurn(
  turns: SharedTurns,
  prefix: string,
  { ms, now, box }: { readonly ms: number; readonly now: () => number; readonly box: PenaltyBox },
): Promise<number | null> {
  const giveUpAt = now() + WAIT_MAX_MS;
  while (now() >= box.until && now() < giveUpAt) {
    const takenAt = now();
    const left = await turns.take(prefix, ms).catch(() => null);
    if (left === null) return null;
    if (left === 0) return takenAt;
    await new Promise((done) => setTimeout(done, Math.min(left, LOOK_AGAIN_MS)));
  }
  return null;
}

/** So many requests in so much time. */
function windowOf(requestsPerSecond: number): { readonly requests: number; readonly ms: number } {
  const requests = Math.max(1, Math.ceil(requestsPerSecond));
  return { requests, ms: (requests / requestsPerSecond) * 1_000 };
}

type Sent = {
  readonly at: number;
  /** No later than the answer; null until then. */
  arrivedAt: number | null;
};

type Waiting = {
  readonly prefix: string | null;
  readonly resolve: (sent: Sent | null) => void;
  readonly giveUpAt: number;
};

/** What has no answer for so long has arrived or never will: a vendor that hangs must not hold up a cancellation. */
const ARRIVAL_MAX_MS = 2_000;
const OUT_OF_BUDGET: Exchange = {
  kind: 'not_sent',
  code: 'rate_limited',
  reason: 'our own pacing budget is used up',
};
/** How long a turn may be held before its request is sent and has arrived. */
const TURN_MAX_MS = 10_000;
const LOOK_AGAIN_MS = 500;
const RETRY_MS = 20;
const WAIT_MAX_MS = 30_000;
const QUEUE_MAX = 500;
