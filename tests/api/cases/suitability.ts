import type { suitabilityEndpoints } from '../../../src/contract/suitability.ts';
import type { TestApp } from '../../support/test-app.ts';
import { answersOf, signedInPerson } from '../../support/test-person.ts';
import { newDeployment } from '../../support/test-deployment.ts';
import type { CasesOf } from '../call-case.ts';

const answers = { questionnaire_responses: answersOf(1) };

async function assessed(app: TestApp) {
  const { token } = await signedInPerson(app);
  const { body } = await app.request({ method: 'POST', url: '/api/risk-assessment/', token, body: answers });
  return { token, params: { id: body.id as string } };
}

const ATTESTATION = { basis: 'net_worth', agrees: true };

async function american(app: TestApp) {
  const person = await signedInPerson(app);
  const body = { date_of_birth: '1980-02-29', country: 'US' };
  await app.request({ method: 'PATCH', url: '/api/auth/me/', token: person.token, body });
  return person;
}

async function advised(app: TestApp) {
  const { person } = await newDeployment(app);
  return { token: person.token };
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
  listAdvice: { success: advised },
  getEligibility: { success: async (app) => ({ token: (await american(app)).token }) },
  attestQualifiedClient: {
    success: async (app) => ({ token: (await american(app)).token, body: ATTESTATION }),
    not_eligible: async (app) => ({ token: (await signedInPerson(app)).token, body: ATTESTATION }),
  },
  withdrawAttestation: {
    success: async (app) => {
      const { token } = await american(app);
      const url = '/api/eligibility/qualified_client/';
      await app.request({ method: 'POST', url, token, body: ATTESTATION });
      return { token };
    },
    not_found: async (app) => ({ token: (await american(app)).token }),
  },
};
