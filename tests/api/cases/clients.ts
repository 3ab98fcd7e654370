import type { clientEndpoints } from '#contract/operations/clients.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson } from '../../support/test-person.ts';
import { supportPerson, tradingDeployment } from '../scene.ts';
import type { CasesOf } from '../call-case.ts';

async function noting(app: TestApp) {
  const { token } = await supportPerson(app);
  const { id } = await signedInPerson(app);
  return { token, params: { id }, body: { note: 'asked by phone how to add a passkey' } };
}

export const clientCases: CasesOf<typeof clientEndpoints> = {
  findClients: {
    success: async (app) => ({
      token: (await supportPerson(app)).token,
      body: { sought: (await signedInPerson(app)).email },
    }),
    not_found: async (app) => ({
      token: (await signedInPerson(app)).token,
      body: { sought: 'a@example.test' },
    }),
  },
  getClient: {
    success: async (app) => {
      const { token } = await supportPerson(app);
      const { person } = await tradingDeployment(app);
      return { token, params: { id: person.id } };
    },
  },
  endClientSessions: {
    success: async (app) => {
      const { token } = await supportPerson(app);
      const { id } = await signedInPerson(app);
      return { token, params: { id } };
    },
  },
  noteClient: {
    success: noting,
    idempotency_conflict: async (app) => {
      const { token, params, body } = await noting(app);
      const headers = { 'idempotency-key': 'one note' };
      const url = `/api/operations/clients/${params.id}/notes/`;
      await app.request({ method: 'POST', url, token, headers, body });
      return { token, params, headers, body: { note: 'another note' } };
    },
  },
};
