import { expect, test } from 'vitest';
import type { UserId } from '#units/identifiers.ts';
import { toMicro, ZERO_MICRO } from '#units/money.ts';
import { ledgerPayments } from './ledger.ts';

const charge = {
  reference: 'r-1',
  userId: 'u' as UserId,
  amount: toMicro(79),
  currency: 'USD',
  description: 'Pro, a month',
} as const;

test('moves no money, and always gives the same answer for one reference', async () => {
  const payments = ledgerPayments();
  expect(payments.takesMoney).toBe(false);
  const first = await payments.charge(charge);
  expect(first).toEqual({ outcome: 'paid', vendorReference: 'ledger-r-1' });
  expect(await payments.charge(charge)).toEqual(first);
});

test('a charge of zero is a caller error', async () => {
  await expect(ledgerPayments().charge({ ...charge, amount: ZERO_MICRO })).rejects.toThrow('above zero');
});
