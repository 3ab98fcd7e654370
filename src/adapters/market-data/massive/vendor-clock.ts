// The vendor's clock beside ours, and whether the exchange is open by what the vendor last said.
import type { MarketDataAnswer } from '#ports/market-data.ts';
import { type Instant, instant, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { clockDifferenceMs, clockFailure } from '../clock-difference.ts';
import { keepAnswer } from '../keep-answer.ts';
import { type MarketStatus, parseStatus, type SpecialDays } from './listings.ts';
import type { Requests } from './requests.ts';
import { openSession } from './sessions.ts';

export type CheckedClock = {
  /** Fails when our clock is off, or when the vendor has not been heard for ten minutes. */
  read(): Promise<MarketDataAnswer<{ readonly now: Instant; readonly aheadMs: number }>>;
  /** By the calendar, unless the vendor said during this session that the exchange is closed. */
  isOpen(at: Instant, special: SpecialDays): boolean;
};

export function checkedClock(requests: Requests, now: () => number): CheckedClock {
  let heard: MarketStatus | null = null;
  let aheadMs = 0;
  const check = keepAnswer<null>(MINUTE_MS, now, async () => {
    const before = now();
    const answer = await requests.get('/v1/marketstatus/now', {}, parseStatus);
    const after = now();
    if (!answer.ok) {
      const isRecent = heard !== null && after - heard.at < UNHEARD_MAX_MS;
      return isRecent && answer.code !== 'unauthorized' ? { ok: true, value: null } : answer;
    }
    const reading = { askedAt: before, answeredAt: after, theirs: answer.value.at, stepMs: SECOND_MS };
    aheadMs = clockDifferenceMs(reading);
    const off = clockFailure(reading);
    if (off !== null) return off;
    heard = answer.value;
    return { ok: true, value: null };
  });
  return {
    async read() {
      const checked = await check();
      return checked.ok ? { ok: true, value: { now: instant(now()), aheadMs } } : checked;
    },
    isOpen(at, special) {
      const open = openSession(at, special);
      if (open === null || heard === null) return false;
      return heard.at < open.opensAt + SECOND_MS || heard.isOpen;
    },
  };
}

const UNHEARD_MAX_MS = 10 * MINUTE_MS;
