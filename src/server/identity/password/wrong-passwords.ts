import type { Instant } from '#units/instant.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

const WINDOW_MS = 60_000;
const REMEMBERED = 50_000;

type Attempt = { readonly account: string; readonly address: string };

/**
 * Rate-limits guessing: counts the wrong passwords for one account per minute, from any address. An address from which
 * the account was signed in to before is counted separately, so that a stranger who guesses does not lock the owner
 * out.
 */
export class WrongPasswords {
  private readonly times = new Map<string, Instant[]>();
  private readonly known = new Set<string>();
  private readonly perMinute: number;

  constructor(perMinute: number) {
    this.perMinute = perMinute;
  }

  /** Null when an attempt is allowed now. */
  refuse(attempt: Attempt, now: Instant): Refused | null {
    const recent = this.recent(this.keyOf(attempt), now);
    if (recent.length < this.perMinute) return null;
    const wait = Math.max(1, Math.ceil((recent[0]! + WINDOW_MS - now) / 1000));
    return refuse('too_many_requests', `Too many wrong passwords. Please try again in ${wait} seconds.`, {
      retryAfterSeconds: wait,
    });
  }

  noteWrong(attempt: Attempt, now: Instant): void {
    if (this.times.size >= REMEMBERED) this.times.clear();
    const key = this.keyOf(attempt);
    this.times.set(key, [...this.recent(key, now), now]);
  }

  noteRight({ account, address }: Attempt): void {
    if (this.known.size >= REMEMBERED) this.known.clear();
    this.known.add(`${account} ${address}`);
  }

  private keyOf({ account, address }: Attempt): string {
    const here = `${account} ${address}`;
    return this.known.has(here) ? here : account;
  }

  private recent(key: string, now: Instant): Instant[] {
    return (this.times.get(key) ?? []).filter((at) => now - at < WINDOW_MS);
  }
}
