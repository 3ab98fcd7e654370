// Requests that wait for capacity in their user's window: a short queue, most urgent first.
import { type BackOff, PRIORITIES, type Priority } from './rate-limits.ts';
import type { RequestWindow, SentRequest } from './request-window.ts';

type RequestQueue = {
  /** Null when it may not be sent: during a back-off, after too long a wait, or with too many ahead of it. */
  admit(prefix: string | null, priority: Priority): Promise<SentRequest | null>;
};

type Waiting = {
  readonly prefix: string | null;
  readonly resolve: (sent: SentRequest | null) => void;
  readonly giveUpAt: number;
};

export function createRequestQueue(
  window: RequestWindow,
  { backOff, now }: { readonly backOff: BackOff; readonly now: () => number },
): RequestQueue {
  const queues = new Map<Priority, Waiting[]>(PRIORITIES.map((priority) => [priority, []]));
  let timer: NodeJS.Timeout | null = null;
  const count = () => [...queues.values()].reduce((sum, { length }) => sum + length, 0);

  const drain = () => {
    timer = null;
    window.expire();
    for (const [priority, queue] of queues) {
      const stay: Waiting[] = [];
      for (const waiting of queue) {
        if (now() < backOff.until || now() >= waiting.giveUpAt) waiting.resolve(null);
        else if (window.isOpen(waiting.prefix)) waiting.resolve(window.send(waiting.prefix));
        else stay.push(waiting);
      }
      queues.set(priority, stay);
    }
    if (count() > 0) timer = setTimeout(drain, RETRY_MS);
  };

  return {
    admit(prefix, priority) {
      if (now() < backOff.until || count() >= QUEUE_MAX) return Promise.resolve(null);
      return new Promise((resolve) => {
        queues.get(priority)?.push({ prefix, resolve, giveUpAt: now() + WAIT_MAX_MS });
        if (timer) clearTimeout(timer);
        drain();
      });
    },
  };
}

export const WAIT_MAX_MS = 30_000;
const RETRY_MS = 20;
const QUEUE_MAX = 500;
