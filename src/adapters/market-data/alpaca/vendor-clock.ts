// The vendor's clock beside ours: whether they agree, and whether the exchange is open now by what the vendor last said.
import type { MarketDataAnswer } from '#ports/market-data.ts';
import { type Instant, instant, MINUTE_MS } from '#units/instant.ts';
import { clockDifferenceMs, clockFailure } from '../clock-difference.ts';
import { keepAnswer } from '../keep-answer.ts';
import { parseClock, type VendorClock } from './listings.ts';
import type { Requests } from './requests.ts';

export type CheckedClock = {
  /** Fails when our clock is off, or when the vendor has not been heard for ten minutes. */
  read(): Promise<MarketDataAnswer<{ readonly now: Instant; readonly aheadMs: number }>>;
  /** Whether the exchange is open at an instant, by what was last read; not before the first answer. */
  isOpen(at: Instant): boolean;
};

export function checkedClock(requests: Requests, now: () => number): CheckedClock {
  let heard: { readonly clock: VendorClock; readonly at: number } | null = null;
  let aheadMs = 0;
  const check = keepAnswer<null>(MINUTE_MS, now, async () => {
    const before = now();
    const answer = await requests.trading('/v2/clock', {}, parseClock);
    const after = now();
    if (!answer.ok) {
      const isRecent = heard !== null && after - heard.at < UNHEARD_MAX_MS;
      return isRecent && answer.code !== 'unauthorized' ? { ok: true, value: null } : answer;
    }
    heard = { clock: answer.value, at: after };
    const reading = { askedAt: before, answeredAt: after, theirs: answer.value.now };
    aheadMs = clockDifferenceMs(reading);
    return clockFailure(reading) ?? { ok: true, value: null };
  });
  return {
    async read() {
      const checked = await check();
      return checked.ok ? { ok: true, value: { now: instant(now()), aheadMs } } : checked;
    },
    isOpen(at) {
      if (heard === null) return false;
      const { isOpen, opensAt, closesAt } = heard.clock;
      return isOpen ? at < closesAt : at >= opensAt && at < closesAt;
    },
  };
}

const UNHEARD_MAX_MS = 10 * MINUTE_MS;
