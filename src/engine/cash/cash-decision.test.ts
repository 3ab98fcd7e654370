import fc from 'fast-check';
import { expect, it } from 'vitest';
import { micro } from '#units/money.ts';
import { CASH_CAUSES, movementOf } from './cash-decision.ts';

it('books the whole amount, in the direction that its cause can have', () => {
  const amounts = fc.integer({ min: -1e12, max: 1e12 }).map(micro);
  fc.assert(
    fc.property(fc.constantFrom(...CASH_CAUSES), amounts, (cause, amount) => {
      const movement = movementOf(cause, amount);
      const never =
        amount === 0 || (cause === 'deposit' && amount < 0) || (cause === 'withdrawal' && amount > 0);
      expect(movement === null).toBe(never || (cause === 'fee' && amount > 0));
      if (movement !== null) expect(movement.amount).toBe(amount);
    }),
  );
});
