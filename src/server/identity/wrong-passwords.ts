import type { Instant } from '#units/instant.ts';

const WINDOW_MS = 60_000;
const REMEMBERED = 50_000;

/** Slows down guessing: counts wrong passwords for one e-mail from one address within a minute. */
export class WrongPasswords {
  private readonly times = new Map<string, Instant[]>();
  private readonly perMinute: number;

  constructor(perMinute: number) {
    this.perMinute = perMinute;
  }

  /** Seconds to wait before another try; 0 when it may be tried now. */
  secondsToWait(key: string, now: Instant): number {
    const recent = this.recent(key, now);
    if (recent.length < this.perMinute) return 0;
    return Math.max(1, Math.ceil((recent[0]! + WINDOW_MS - now) / 1000));
  }

  note(key: string, now: Instant): void {
    if (this.times.size >= REMEMBERED) this.times.clear();
    this.times.set(key, [...this.recent(key, now), now]);
  }

  private recent(key: string, now: Instant): Instant[] {
    return (this.times.get(key) ?? []).filter((at) => now - at < WINDOW_MS);
  }
}
