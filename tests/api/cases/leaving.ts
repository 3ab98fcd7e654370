import type { leavingEndpoints } from '#contract/leaving.ts';
import type { TestApp } from '../../support/test-app.ts';
import { newDeployment } from '../../support/test-deployment.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';

const signedIn = async (app: TestApp) => ({ token: (await signedInPerson(app)).token });

export const leavingCases: CasesOf<typeof leavingEndpoints> = {
  getLeaving: { success: signedIn },
  closeAccount: {
    success: async (app) => {
      const { token, email } = await signedInPerson(app);
      return { token, body: { email } };
    },
    in_use: async (app) => {
      const { person } = await newDeployment(app);
      return { token: person.token, body: { email: person.email } };
    },
  },
  downloadExport: { success: signedIn },
};
