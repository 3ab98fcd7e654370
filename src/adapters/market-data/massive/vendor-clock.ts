// The vendor's clock beside ours, and whether the exchange is open by what the vendor last said.
import type { MarketDataAnswer } from '#ports/market-data.ts';
import { type Instant, instant, isoText, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { keepAnswer } from '../keep-answer.ts';
import { failure } from '../read-answer.ts';
import { type MarketStatus, parseStatus, type SpecialDays } from './listings.ts';
import type { Requests } from './requests.ts';
import { openSession } from './sessions.ts';

export type CheckedClock = {
  /** Fails when our clock is off, or when the vendor has not been heard for ten minutes. */
  read(): Promise<MarketDataAnswer<Instant>>;
  /** By the calendar, unless the vendor said during this session that the exchange is closed. */
  isOpen(at: Instant, special: SpecialDays): boolean;
};

export function checkedClock(requests: Requests, now: () => number): CheckedClock {
  let heard: MarketStatus | null = null;
  const check = keepAnswer<null>(MINUTE_MS, now, async () => {
    const before = now();
    const answer = await requests.get('/v1/marketstatus/now', {}, parseStatus);
    const after = now();
    if (!answer.ok) {
      const isRecent = heard !== null && after - heard.at < UNHEARD_MAX_MS;
      return isRecent && answer.code !== 'unauthorized' ? { ok: true, value: null } : answer;
    }
    // The vendor read its clock at some moment between the two, and says whole seconds.
    const { at } = answer.value;
    const offMs = Math.max(before - (at + SECOND_MS), at - after);
    if (offMs <= OFF_MAX_MS) {
      heard = answer.value;
      return { ok: true, value: null };
    }
    return failure(
      'clock_off',
      `the clock of this machine says ${isoText(instant(after))} and the vendor’s ${isoText(at)}: set the machine’s clock (NTP)`,
    );
  });
  return {
    async read() {
      const checked = await check();
      return checked.ok ? { ok: true, value: instant(now()) } : checked;
    },
    isOpen(at, special) {
      const open = openSession(at, special);
      if (open === null || heard === null) return false;
      return heard.at < open.opensAt + SECOND_MS || heard.isOpen;
    },
  };
}

const OFF_MAX_MS = 2 * SECOND_MS;
const UNHEARD_MAX_MS = 10 * MINUTE_MS;
