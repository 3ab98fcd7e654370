// How often somebody asks, in windows that begin with a first request.
import type { Instant } from '#units/instant.ts';

type Window = { readonly endsAt: number; count: number };

/** Of more the oldest are forgotten, so that memory is bounded. */
const KEYS_MAX = 100_000;

export class RequestCounter {
  readonly #windows = new Map<string, Window>();
  readonly #windowMs: number;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#windows.size;
  }

  /** Counts one request of `key`. Milliseconds until it may ask again; 0 for one of the first `max` in its window. */
  count(key: string, max: number, at: Instant): number {
    const window = this.#windows.get(key);
    const leftMs = window === undefined ? 0 : window.endsAt - at;
    // Longer than a window lasts: the clock was set back.
    if (window === undefined || leftMs <= 0 || leftMs > this.#windowMs) {
      this.#open(key, at);
      return 0;
    }
    window.count += 1;
    return window.count > max ? leftMs : 0;
  }

  #open(key: string, at: Instant): void {
    this.#windows.delete(key);
    // They end in the order in which they began.
    for (const [oldest, { endsAt }] of this.#windows) {
      if (endsAt > at && this.#windows.size < KEYS_MAX) break;
      this.#windows.delete(oldest);
    }
    this.#windows.set(key, { endsAt: at + this.#windowMs, count: 1 });
  }
}
