// The example of the fee that the agreement gives: three periods, billed by the rule itself, so that wording and billing
// cannot differ. A test bills the same three periods in the books.
import { type Micro, subtract, toMicro } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import { feeBill, type FeeBill } from './fee-bill.ts';
import { PERFORMANCE_FEE_PERCENT } from './performance-fee.ts';

type ExamplePeriod = {
  /** Money put in plus realized profit less commission, at the end of the period. */
  readonly settled: Micro;
  /** With what is open. */
  readonly worth: Micro;
  readonly bill: FeeBill;
};

export const FEE_EXAMPLE_DEPOSIT = toMicro(10_000);

export function feeExample(): readonly [ExamplePeriod, ExamplePeriod, ExamplePeriod] {
  const first = billed(FEE_EXAMPLE_DEPOSIT, { settled: toMicro(11_000), worth: toMicro(11_000) });
  const second = billed(first.bill.nextHighWaterMark, { settled: toMicro(10_400), worth: toMicro(10_400) });
  const third = billed(second.bill.nextHighWaterMark, { settled: toMicro(11_500), worth: toMicro(11_900) });
  return [first, second, third];
}

export function feeExampleText(): string {
  const [first, second, third] = feeExample();
  return `An example. You deploy ${dollars(FEE_EXAMPLE_DEPOSIT)}. In the first period you realize a profit and the deployment is worth ${dollars(first.worth)}: the fee is ${feeOf(first)}, and the mark is ${dollars(first.bill.nextHighWaterMark)}. In the second it falls to ${dollars(second.worth)}: no fee. In the third it is worth ${dollars(third.worth)}, of which ${dollars(subtract(third.worth, third.settled))} is the open profit of a position that you still hold. Its settled value is ${dollars(third.settled)}: the fee is ${feeOf(third)}. The open profit is billed once it is realized.`;
}

function feeOf({ bill }: ExamplePeriod): string {
  return `${PERFORMANCE_FEE_PERCENT}% of ${dollars(bill.profit)}, which is ${dollars(bill.fee)}`;
}

function billed(highWaterMark: Micro, { settled, worth }: Omit<ExamplePeriod, 'bill'>): ExamplePeriod {
  const bill = feeBill({
    highWaterMark,
    capitalBefore: FEE_EXAMPLE_DEPOSIT,
    capital: FEE_EXAMPLE_DEPOSIT,
    settledResult: subtract(settled, FEE_EXAMPLE_DEPOSIT),
    worth,
  });
  return { settled, worth, bill };
}
