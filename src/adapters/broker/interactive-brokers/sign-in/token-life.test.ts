import fc from 'fast-check';
import { expect, it } from 'vitest';
import { afterFailedRenewal, tokenLife } from './token-life.ts';

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;

it('renews a token of any life in its last fifth, and none at once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2 * MINUTE, max: 24 * 60 * MINUTE }), (life) => {
      const { renewAt, endsAt } = tokenLife(NOW, NOW + life);
      expect(endsAt).toBe(NOW + life);
      expect(renewAt).toBeGreaterThanOrEqual(NOW + life * 0.8);
      expect(renewAt).toBeLessThan(endsAt);
    }),
  );
});

it('counts a day from now where the vendor names the start, no end, or an end beyond a day', () => {
  const day = tokenLife(NOW, null);
  expect(day).toEqual({ renewAt: NOW + 23 * 60 * MINUTE, endsAt: NOW + 24 * 60 * MINUTE });
  for (const named of [NOW - MINUTE, NOW, NOW + 10_000, NOW + 48 * 60 * MINUTE])
    expect(tokenLife(NOW, named)).toEqual(day);
});

it('keeps the old token after a failed renewal as long as it lives, and never beyond', () => {
  const life = tokenLife(NOW, NOW + 10 * MINUTE);
  expect(afterFailedRenewal(life, NOW + 8 * MINUTE)).toEqual({ ...life, renewAt: NOW + 8.5 * MINUTE });
  expect(afterFailedRenewal(life, NOW + 9.9 * MINUTE)?.renewAt).toBe(life.endsAt);
  expect(afterFailedRenewal(life, NOW + 10 * MINUTE)).toBeNull();
});
