// What every vendor of payments must do, whatever it does besides: the promises of the port.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Charge, PaymentsPort } from '#ports/payments.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Micro, toMicro, ZERO_MICRO } from '#units/money.ts';

export type Desk = {
  readonly payments: PaymentsPort;
  /** A payer whose means of payment works. */
  payer(): Promise<Charge['payer']>;
  /** All that was taken under a reference, as the vendor's own books have it. */
  taken(reference: string): Promise<Micro>;
  /** All that was given back. */
  givenBack(reference: string): Promise<Micro>;
};

export type Case = { readonly says: string; readonly run: (desk: Desk) => Promise<void> };

export function newPayer(): Charge['payer'] {
  const userId = randomUUID() as UserId;
  return { userId, email: `${userId}@payer.example` };
}

export function chargeOf(payer: Charge['payer'], dollars = 79, reference: string = randomUUID()): Charge {
  return { reference, payer, amount: toMicro(dollars), currency: 'USD', description: 'Pro, a month' };
}

export const PAYMENT_CASES: readonly Case[] = [
  {
    says: 'a reference that is charged again and again is paid once, with the same answer',
    async run({ payments, payer, taken }) {
      const charge = chargeOf(await payer());
      const first = await payments.charge(charge);
      expect(first).toMatchObject({ outcome: 'paid', amount: charge.amount });
      expect(await payments.charge(charge)).toEqual(first);
      expect(await taken(charge.reference)).toBe(charge.amount);
    },
  },
  {
    says: 'a reference that many charge at once is paid once',
    async run({ payments, payer, taken }) {
      const charge = chargeOf(await payer());
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => payments.charge(charge)));
      expect(outcomes.some(({ outcome }) => outcome === 'paid')).toBe(true);
      expect(await payments.charge(charge)).toMatchObject({ outcome: 'paid' });
      expect(await taken(charge.reference)).toBe(charge.amount);
    },
  },
  {
    says: 'a payer is erased once, by many who ask, and one who was never known as well; what was paid stays',
    async run({ payments, payer, taken }) {
      const charge = chargeOf(await payer());
      await payments.charge(charge);
      const { userId } = charge.payer;
      expect(await payments.erase(userId)).toEqual({ outcome: 'erased' });
      expect(await payments.erase(userId)).toEqual({ outcome: 'erased' });
      expect(await payments.erase(newPayer().userId)).toEqual({ outcome: 'erased' });
      expect(await taken(charge.reference)).toBe(charge.amount);
    },
  },
  {
    says: 'two references are two payments',
    async run({ payments, payer, taken }) {
      const who = await payer();
      const [one, other] = [chargeOf(who, 29), chargeOf(who, 50)];
      await payments.charge(one);
      await payments.charge(other);
      expect([await taken(one.reference), await taken(other.reference)]).toEqual([one.amount, other.amount]);
    },
  },
  {
    says: 'what was charged is found, and what never was is not',
    async run({ payments, payer }) {
      const charge = chargeOf(await payer());
      expect(await payments.find(charge)).toEqual({ outcome: 'none' });
      const paid = await payments.charge(charge);
      expect(await payments.find(charge)).toEqual(paid);
    },
  },
  {
    says: 'withdrawing leaves what is paid as it is, and nothing to pay otherwise',
    async run({ payments, payer }) {
      const charge = chargeOf(await payer());
      expect(await payments.withdraw(charge)).toEqual({ outcome: 'none' });
      const paid = await payments.charge(charge);
      expect(await payments.withdraw(charge)).toEqual(paid);
    },
  },
  {
    says: 'a refund is made once, however often it is asked for',
    async run({ payments, payer, givenBack }) {
      const charge = chargeOf(await payer());
      await payments.charge(charge);
      const refund = { id: randomUUID(), ...charge, amount: toMicro(30) };
      const made = await payments.refund(refund);
      expect(made).toMatchObject({ outcome: 'made' });
      expect(await payments.refund(refund)).toEqual(made);
      expect(await givenBack(charge.reference)).toBe(refund.amount);
    },
  },
  {
    says: 'no more is given back than was paid, in one refund or in several',
    async run({ payments, payer, givenBack }) {
      const charge = chargeOf(await payer());
      await payments.charge(charge);
      const ask = (dollars: number) =>
        payments.refund({ id: randomUUID(), ...charge, amount: toMicro(dollars) });
      expect(await ask(80)).toMatchObject({ outcome: 'refused' });
      expect(await ask(50)).toMatchObject({ outcome: 'made' });
      expect(await ask(30)).toMatchObject({ outcome: 'refused' });
      expect(await ask(29)).toMatchObject({ outcome: 'made' });
      expect(await givenBack(charge.reference)).toBe(charge.amount);
    },
  },
  {
    says: 'what was never paid is not given back',
    async run({ payments, payer }) {
      const refund = { id: randomUUID(), ...chargeOf(await payer()) };
      expect(await payments.refund(refund)).toMatchObject({ outcome: 'refused' });
    },
  },
  {
    says: 'a charge of nothing is a fault of the caller',
    async run({ payments, payer }) {
      const charge = { ...chargeOf(await payer()), amount: ZERO_MICRO };
      await expect(payments.charge(charge)).rejects.toThrow('above zero');
    },
  },
];
