import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MINUTE_MS, instant } from '#units/instant.ts';
import { MONDAY } from '#tests/support/engine/open-order.ts';
import { isAheadOf } from './is-ahead-of.ts';

it('leaves a deployment alone exactly while anything of it was written at a later time', () => {
  const at = fc.integer({ min: 0, max: 20 }).map((minute) => instant(MONDAY + minute * MINUTE_MS));
  const orders = fc.array(fc.record({ decidedAt: at, sentAt: fc.option(at) }), { maxLength: 4 });
  fc.assert(
    fc.property(at, at, fc.option(at), orders, (now, deployedAt, markedAt, made) => {
      const openOrders = made.map(({ decidedAt, sentAt }) => ({ decided: { decidedAt }, sentAt }));
      const written = [
        deployedAt,
        markedAt ?? now,
        ...made.flatMap((one) => [one.decidedAt, one.sentAt ?? now]),
      ];
      expect(isAheadOf(now, { record: { deployedAt, markedAt }, openOrders })).toBe(
        Math.max(...written) > now,
      );
    }),
  );
});
