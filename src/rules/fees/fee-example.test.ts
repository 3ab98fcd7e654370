import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { feeExample, feeExampleText } from './fee-example.ts';

it('bills the example of the agreement by the rule', () => {
  expect(feeExample().map(({ bill }) => bill.fee)).toEqual([toMicro(300), toMicro(0), toMicro(150)]);
  expect(feeExampleText()).toBe(
    'An example. You deploy $10,000. In the first period you realize a profit and the deployment is worth $11,000: the fee is 30% of $1,000, which is $300, and the mark is $11,000. In the second it falls to $10,400: no fee. In the third it is worth $11,900, of which $400 is the open profit of a position that you still hold. Its settled value is $11,500: the fee is 30% of $500, which is $150. The open profit is billed once it is realized.',
  );
});
