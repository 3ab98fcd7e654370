// Compared with the measures of independent libraries. Reads the `shared` folder next to the project and is skipped
// where it is absent.
import { describe, it } from 'vitest';
import { empyricalCases } from '../../../tests/vectors/empyrical-cases.ts';
import { expectAgreement } from '../../../tests/vectors/expect-agreement.ts';
import { ffnCases } from '../../../tests/vectors/ffn-cases.ts';
import { runMeasureCases } from '../../../tests/vectors/run-measure-cases.ts';

const SUBJECTS = {
  'measures against empyrical': empyricalCases(),
  'measures against ffn': ffnCases(),
  'measures of engine runs': runMeasureCases(),
};

for (const [subject, cases] of Object.entries(SUBJECTS)) {
  describe.skipIf(cases.length === 0)(subject, () => {
    it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => expectAgreement(one.compare()));
  });
}
