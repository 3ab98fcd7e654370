// One user's requests per minute where the vendor counts all of the user's programs together: processes take turns at a fixed
// number of places, each of which is free again once the vendor has forgotten the request in it.
import type { Exchange } from './exchange.ts';
import { WAIT_MAX_MS } from './request-queue.ts';

export type SharedWindow = {
  /** Takes a place. Returns 0, or for how many milliseconds all of them are taken. */
  take(): Promise<number>;
  /** The vendor has had enough: no place is free for `ms` milliseconds from now. */
  close(ms: number): Promise<void>;
};

type Terms = {
  /** Null where the process is alone. */
  readonly window: SharedWindow | null;
  /** How long nobody sends after the vendor answered 429. */
  readonly backOffMs: number;
  readonly now: () => number;
};

/** Sends once a place is free. It is not sent when that takes too long, or nobody knows how many are taken. */
export async function inSharedWindow(
  { window, backOffMs, now }: Terms,
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  if (window === null) return send();
  const giveUpAt = now() + WAIT_MAX_MS;
  for (;;) {
    const left = await window.take().catch(() => null);
    if (left === 0) break;
    if (left === null || now() + left > giveUpAt) return OUT_OF_PLACES;
    await new Promise((done) => setTimeout(done, Math.min(left, LOOK_AGAIN_MS)));
  }
  const result = await send();
  if (result.kind === 'answered' && result.status === 429)
    await window.close(backOffMs).catch(() => undefined);
  return result;
}

const OUT_OF_PLACES: Exchange = {
  kind: 'not_sent',
  code: 'rate_limited',
  reason: 'our processes have used up what the broker allows in a minute',
};
const LOOK_AGAIN_MS = 500;
