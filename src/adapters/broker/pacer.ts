// One signed-in user's share of the vendor's limits: a token bucket with a short queue, the urgent first.

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

/** Shared by all users behind one address, because the vendor punishes the address. */
export type PenaltyBox = { until: number };

export type Pacer = {
  /** Waits for leave to send one request; false when the box is closed, or the wait or the queue is too long. */
  admit(path: string, priority: Priority): Promise<boolean>;
};

export function createPacer(pacing: Pacing, box: PenaltyBox, now: () => number): Pacer {
  const queues = new Map<Priority, Waiting[]>(PRIORITIES.map((priority) => [priority, []]));
  const lastByPrefix = new Map<string, number>();
  const window = windowOf(pacing.requestsPerSecond);
  /** When the last requests left, oldest first: a bucket would let twice the rate pass in its first second. */
  const sentAt: number[] = [];
  let timer: NodeJS.Timeout | null = null;

  const hasRoom = () => {
    while (sentAt.length > 0 && now() - (sentAt[0] ?? 0) >= window.ms) sentAt.shift();
    return sentAt.length < window.requests;
  };

  const take = (waiting: Waiting) => {
    sentAt.push(now());
    if (waiting.prefix) lastByPrefix.set(waiting.prefix, now());
    waiting.resolve(true);
  };

  const isDue = ({ prefix }: Waiting) =>
    !prefix ||
    now() - (lastByPrefix.get(prefix) ?? Number.NEGATIVE_INFINITY) >= (pacing.spacingMs[prefix] ?? 0);

  const drain = () => {
    timer = null;
    for (const priority of PRIORITIES) {
      const queue = queues.get(priority) ?? [];
      const stay: Waiting[] = [];
      for (const waiting of queue) {
        if (now() < box.until || now() >= waiting.giveUpAt) waiting.resolve(false);
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

  return {
    admit(path, priority) {
      if (now() < box.until || waitingCount() >= QUEUE_MAX) return Promise.resolve(false);
      const prefix = Object.keys(pacing.spacingMs).find((key) => path.startsWith(key)) ?? null;
      return new Promise((resolve) => {
        queues.get(priority)?.push({ prefix, resolve, giveUpAt: now() + WAIT_MAX_MS });
        if (timer) clearTimeout(timer);
        drain();
      });
    },
  };
}

/** So many requests in so much time, with a tenth more of it, because requests that leave evenly arrive less so. */
function windowOf(requestsPerSecond: number): { readonly requests: number; readonly ms: number } {
  const requests = Math.max(1, Math.ceil(requestsPerSecond));
  return { requests, ms: (requests / requestsPerSecond) * 1_100 };
}

type Waiting = {
  readonly prefix: string | null;
  readonly resolve: (admitted: boolean) => void;
  readonly giveUpAt: number;
};

const RETRY_MS = 20;
const WAIT_MAX_MS = 30_000;
const QUEUE_MAX = 500;
