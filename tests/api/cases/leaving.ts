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
  createDownloadLink: {
    success: async (app) => ({ ...(await signedIn(app)), body: { address: '/api/account/export/file' } }),
    confirmation_required: async (app) => {
      const { token, id } = await signedInPerson(app);
      await app.records.pool.query(
        `update sessions set confirmed_at = confirmed_at - interval '1 hour' where user_id = $1`,
        [id],
      );
      return { token, body: { address: '/api/account/export/file' } };
    },
  },
  downloadExport: { success: signedIn },
};
