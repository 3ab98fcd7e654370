import { expect, test } from 'vitest';
import { proposalWords } from './proposal-words.ts';

const of = { closes_as: 'adjustment', symbol: 'AAA', replaces: null, quantity: -15, price: 100 } as const;
const replaces = { id: 'X1', quantity: 40, price: 99.5 };

test.each([
  [of, 'remove 15 AAA at 100.00 each'],
  [{ ...of, quantity: 2.5 }, 'add 2.5 AAA at 100.00 each'],
  [{ ...of, replaces, quantity: 0, price: null }, 'reverse 40 AAA bought at 99.50'],
  [{ ...of, replaces, quantity: 40 }, 'replace 40 AAA bought at 99.50 with 40 bought at 100.00'],
  [{ ...of, closes_as: 'external', quantity: 7 } as const, 'book 7 AAA as bought externally'],
  [{ ...of, closes_as: 'external', quantity: 0 } as const, 'keep the earlier fill; no change in AAA'],
  [{ ...of, closes_as: 'external', quantity: -7 } as const, 'book 7 AAA as sold externally'],
])('%o reads as a proposal', (proposal, said) => expect(proposalWords(proposal)).toBe(said));
