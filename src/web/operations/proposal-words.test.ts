import { expect, test } from 'vitest';
import { proposalWords } from './proposal-words.ts';

const of = { closes_as: 'correction', symbol: 'AAA', replaces: null, quantity: -15, price: 100 } as const;
const replaces = { id: 'X1', quantity: 40, price: 99.5 };

test.each([
  [of, '15 AAA are taken out at 100.00 each'],
  [{ ...of, quantity: 2.5 }, '2.5 AAA are added at 100.00 each'],
  [{ ...of, replaces, quantity: 0, price: null }, '40 AAA that were booked as bought at 99.50 count no more'],
  [
    { ...of, replaces, quantity: 40 },
    '40 AAA that were booked as bought at 99.50 count as 40 bought at 100.00',
  ],
  [{ ...of, closes_as: 'external', quantity: 7 } as const, '7 AAA more count as traded by others'],
  [
    { ...of, closes_as: 'external', quantity: 0 } as const,
    'what was told before counts on, with no AAA more or fewer',
  ],
  [{ ...of, closes_as: 'external', quantity: -7 } as const, '7 AAA fewer count as traded by others'],
])('%o reads as what would count', (proposal, said) => expect(proposalWords(proposal)).toBe(said));
