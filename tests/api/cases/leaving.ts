import type { leavingEndpoints } from '#contract/leaving.ts';
import type { TestApp } from '../../support/test-app.ts';
import { newDeployment } from '../../support/test-deployment.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';

const signedIn = async (app: TestApp) => ({ token: (await signedInPerson(app)).token });

/** Signed in long ago. */
async function unconfirmed(app: TestApp) {
  const person = await signedInPerson(app);
  await app.records.pool.query(
    `update sessions set confirmed_at = now() - interval '1 hour' where user_id = $1`,
    [person.id],
  );
  return person;
}

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
    confirmation_required: async (app) => {
      const { token, email } = await unconfirmed(app);
      return { token, body: { email } };
    },
  },
  createExportLink: {
    success: signedIn,
    confirmation_required: async (app) => ({ token: (await unconfirmed(app)).token }),
  },
  downloadExport: {
    success: async (app) => {
      const { token } = await signedInPerson(app);
      const { body } = await app.request({ method: 'POST', url: '/api/account/export/', token });
      return { query: { link: new URL(body.url, 'http://product.test').searchParams.get('link') ?? '' } };
    },
    invalid_token: async () => ({ query: { link: 'used' } }),
  },
};
