import { expect, test } from 'vitest';
import { agreementFor } from '../agreements/investment-agreement.ts';
import { FICTITIOUS_TERMS, provider } from '../provider.ts';
import { BILLING_TERM } from './fee-terms.ts';
import { FEE_DUE_DAYS, PERFORMANCE_FEE_PERCENT } from './performance-fee.ts';

test('what the choice of a plan says of the fee is what the agreement says', () => {
  const client = { name: 'Ada Client', email: 'ada@example.test', countryName: 'Switzerland' };
  const agreement = JSON.stringify(
    agreementFor(client, { installation: 'demonstration', provider: provider(FICTITIOUS_TERMS) }),
  );
  for (const sentence of [
    BILLING_TERM,
    `due within ${FEE_DUE_DAYS} days`,
    `a performance fee of ${PERFORMANCE_FEE_PERCENT}% of profit`,
  ])
    expect(agreement).toContain(sentence);
});
