import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wallInstant } from '#units/wall-instant.ts';
import { isTryDue, nextTry, type Tries, waitAfter } from './back-off.ts';

const BACK_OFF = { firstMs: 1_000, maxMs: 60_000 };

it('tries at once, then waits twice as long each time, up to the most', () => {
  expect(isTryDue(undefined, wallInstant(0), BACK_OFF)).toBe(true);
  expect([1, 2, 3, 4, 5, 6, 7, 8, 1_000].map((count) => waitAfter(count, BACK_OFF))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
  ]);
});

it('bounds how often anything is tried, however often it is due to be looked at', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 }), (pauses) => {
      let now = 0;
      let tries: Tries | undefined;
      for (const pause of pauses) {
        now += pause;
        const at = wallInstant(now);
        if (isTryDue(tries, at, BACK_OFF)) tries = nextTry(tries, at);
      }
      const doublings = Math.log2(BACK_OFF.maxMs / BACK_OFF.firstMs) + 2;
      expect(tries?.count ?? 0).toBeLessThanOrEqual(doublings + now / BACK_OFF.maxMs + 1);
    }),
  );
});
