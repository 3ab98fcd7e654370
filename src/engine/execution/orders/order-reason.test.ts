import { expect, it } from 'vitest';
import { instant } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';
import { endStatus, isRetried, isSameReason } from './order-reason.ts';

it('is the same reason with the same content, in any order of fields', () => {
  const external = { symbol: 'AAA', units: toQuantity(-5), at: instant(1) };
  const reason = { code: 'quantity_not_available', external } as const;
  const read = { external: { at: instant(1), units: toQuantity(-5), symbol: 'AAA' }, code: reason.code };
  expect(isSameReason(reason, read)).toBe(true);
  expect(isSameReason(reason, { ...reason, external: { ...external, units: toQuantity(-6) } })).toBe(false);
  expect(isSameReason(reason, { ...reason, external: null })).toBe(false);
  expect(isSameReason(null, { code: 'exit_first' })).toBe(false);
  expect(isSameReason(null, null)).toBe(true);
});

it('tries a target again after an end that no one decided, and never after a refusal', () => {
  expect(isRetried({ code: 'expired', said: '' })).toBe(true);
  expect(isRetried({ code: 'day_over_unsent' })).toBe(true);
  expect(isRetried({ code: 'rejected', said: 'no' })).toBe(false);
  expect(isRetried({ code: 'paused' })).toBe(false);
});

it('calls an order that the broker never showed expired, and one that never left withdrawn', () => {
  expect(endStatus({ code: 'never_shown' })).toBe('expired');
  expect(endStatus({ code: 'nothing_to_close' })).toBe('withdrawn');
  expect(endStatus({ code: 'resolved_by_staff', arrived: true, because: 'seen' })).toBe('cancelled');
});
