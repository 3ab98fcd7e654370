import { expect, it } from 'vitest';
import { feeExampleText } from '../fees/fee-example.ts';
import { CORRECTION_TERM, HIGH_WATER_MARK_TERM, SETTLED_PROFIT_TERM } from '../fees/fee-terms.ts';
import { FICTITIOUS_TERMS, provider } from '../provider.ts';
import { AGREEMENT_SECTIONS } from './sections.ts';

it('says of the fee what is billed, and gives the example as it is billed', () => {
  const { paragraphs } = AGREEMENT_SECTIONS.find(({ heading }) => heading === 'Fee and payment terms')!;
  const text = paragraphs(provider(FICTITIOUS_TERMS));
  expect(text).toEqual(expect.arrayContaining([SETTLED_PROFIT_TERM, HIGH_WATER_MARK_TERM, feeExampleText()]));
  expect(text.join(' ')).toContain(CORRECTION_TERM);
});
