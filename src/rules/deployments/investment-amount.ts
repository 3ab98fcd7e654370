// How much a deployment may start with (specification, sections 5 and 9): at least the strategy's minimum, in whole
// cents. Promises the sentence that the field shows.
import { MICRO_PER_UNIT, type Micro } from '#units/money.ts';
import { dollars } from '../dollars.ts';
import type { FieldProblem } from './field-problem.ts';

/** Section 9: the larger of the strategy's minimum and 10,000 dollars. */
export function defaultInvestment(minInvestment: Micro): Micro {
  return Math.max(minInvestment, 10_000 * MICRO_PER_UNIT) as Micro;
}

/** What is wrong with an amount, or null. */
export function checkInvestmentAmount(amount: number, minInvestment: Micro): FieldProblem | null {
  const field = 'investment_amount';
  if (!Number.isSafeInteger(amount) || amount <= 0) {
    return { field, code: 'not_a_number', message: 'Please enter the amount to invest in dollars.' };
  }
  if (amount < minInvestment) {
    return { field, code: 'below_minimum', message: `Minimum: ${dollars(minInvestment)}` };
  }
  if (amount > LARGEST_INVESTMENT) {
    return { field, code: 'above_maximum', message: `Maximum: ${dollars(LARGEST_INVESTMENT)}` };
  }
  if (amount % MICRO_PER_CENT !== 0) {
    return { field, code: 'too_precise', message: 'Please enter the amount in whole cents.' };
  }
  return null;
}

const MICRO_PER_CENT = MICRO_PER_UNIT / 100;

/** The greatest total of any plan (specification, section 9, Enterprise). */
const LARGEST_INVESTMENT = (10_000_000 * MICRO_PER_UNIT) as Micro;
