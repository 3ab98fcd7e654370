// The vendor's clock beside ours: whether they agree, and whether the exchange is open now by what the vendor last said.
import type { MarketDataAnswer } from '#ports/market-data.ts';
import { type Instant, instant, isoText, MINUTE_MS, SECOND_MS } from '#units/instant.ts';
import { keepAnswer } from '../keep-answer.ts';
import { parseClock, type VendorClock } from './listings.ts';
import { failure } from '../read-answer.ts';
import type { Requests } from './requests.ts';

export type CheckedClock = {
  /** Fails when our clock is off, or when the vendor has not been heard for ten minutes. */
  read(): Promise<MarketDataAnswer<Instant>>;
  /** Whether the exchange is open at an instant, by what was last read; not before the first answer. */
  isOpen(at: Instant): boolean;
};

export function checkedClock(requests: Requests, now: () => number): CheckedClock {
  let heard: { readonly clock: VendorClock; readonly at: number } | null = null;
  const check = keepAnswer<null>(MINUTE_MS, now, async () => {
    const before = now();
    const answer = await requests.trading('/v2/clock', {}, parseClock);
    const after = now();
    if (!answer.ok) {
      const isRecent = heard !== null && after - heard.at < UNHEARD_MAX_MS;
      return isRecent && answer.code !== 'unauthorized' ? { ok: true, value: null } : answer;
    }
    heard = { clock: answer.value, at: after };
    // The vendor read its clock at some moment between the two.
    const offMs = Math.max(before - answer.value.now, answer.value.now - after);
    if (offMs <= OFF_MAX_MS) return { ok: true, value: null };
    return failure(
      'clock_off',
      `the clock of this machine says ${isoText(instant(after))} and the vendor’s ${isoText(answer.value.now)}: set the machine’s clock (NTP)`,
    );
  });
  return {
    async read() {
      const checked = await check();
      return checked.ok ? { ok: true, value: instant(now()) } : checked;
    },
    isOpen(at) {
      if (heard === null) return false;
      const { isOpen, opensAt, closesAt } = heard.clock;
      return isOpen ? at < closesAt : at >= opensAt && at < closesAt;
    },
  };
}

const OFF_MAX_MS = 2 * SECOND_MS;
const UNHEARD_MAX_MS = 10 * MINUTE_MS;
