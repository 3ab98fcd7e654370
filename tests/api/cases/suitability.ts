import type { suitabilityEndpoints } from '../../../src/contract/suitability.ts';
import type { TestApp } from '../../support/test-app.ts';
import { answersOf, signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';

const answers = { questionnaire_responses: answersOf(1) };

async function assessed(app: TestApp) {
  const { token } = await signedInPerson(app);
  const { body } = await app.request({ method: 'POST', url: '/api/risk-assessment/', token, body: answers });
  return { token, params: { id: body.id as string } };
}

export const suitabilityCases: CasesOf<typeof suitabilityEndpoints> = {
  getRiskProfile: {
    success: async (app) => ({ token: (await assessed(app)).token }),
    not_found: async (app) => ({ token: (await signedInPerson(app)).token }),
  },
  createRiskProfile: {
    success: async (app) => ({ token: (await signedInPerson(app)).token, body: answers }),
  },
  changeRiskProfile: { success: async (app) => ({ ...(await assessed(app)), body: answers }) },
  removeRiskProfile: { success: assessed },
};
