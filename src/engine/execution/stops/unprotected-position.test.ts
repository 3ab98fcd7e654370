import { expect, it } from 'vitest';
import { DAY_MS, instant, MINUTE_MS } from '#units/instant.ts';
import { MONDAY } from '#tests/support/engine/open-order.ts';
import { isCooling } from './unprotected-position.ts';

it('tries a refused stop again after a quarter of an hour, then twice as long, and once a day in the end', () => {
  const waits = [1, 2, 3, 7, 8, 100].map((refusals) => {
    let minutes = 0;
    while (isCooling(refusals, MONDAY, instant(MONDAY + minutes * MINUTE_MS))) minutes += 15;
    return minutes;
  });
  expect(waits).toEqual([15, 30, 60, 960, 1_440, DAY_MS / MINUTE_MS]);
  expect(isCooling(0, null, MONDAY)).toBe(false);
});
