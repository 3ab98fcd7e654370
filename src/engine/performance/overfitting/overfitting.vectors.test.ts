// Against published worked examples. Reads the `shared` folder next to the project and is skipped where it is absent.
import { describe, it } from 'vitest';
import { expectAgreement } from '../../../../tests/vectors/expect-agreement.ts';
import { overfittingCases } from '../../../../tests/vectors/overfitting-cases.ts';

const CASES = overfittingCases();

describe.skipIf(CASES.length === 0)('overfitting statistics against published examples', () => {
  it.each(CASES.map((one) => [one.name, one] as const))('%s', (_, one) => expectAgreement(one.compare()));
});
