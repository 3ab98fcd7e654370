import { randomUUID } from 'node:crypto';
import type { apiKeysEndpoints } from '#contract/api-keys.ts';
import { makeApiKey } from '../../support/api-key.ts';
import type { TestApp } from '../../support/test-app.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';
import { order, staffMember } from '../scene.ts';

const BODY = {
  name: 'My agent',
  scopes: ['read', 'practice'],
  expires_in_days: 90,
  budget: 25_000,
  acts_per_day: 20,
};

async function withKey(app: TestApp) {
  const person = await signedInPerson(app);
  const { id } = await makeApiKey(app, person.token, {});
  return { token: person.token, params: { id } };
}

/** An act that waits: a deployment with real money. */
async function asked(app: TestApp) {
  const { person, body } = await order(app);
  const { secret } = await makeApiKey(app, person.token, {});
  const refused = await app.request({ method: 'POST', url: '/api/deployments/', token: secret, body });
  return { token: person.token, params: { id: refused.body.details.act as string } };
}

async function decided(app: TestApp) {
  const sent = await asked(app);
  await app.request({ method: 'POST', url: `/api/key-acts/${sent.params.id}/decline/`, token: sent.token });
  return sent;
}

export const apiKeysCases: CasesOf<typeof apiKeysEndpoints> = {
  listApiKeys: { success: async (app) => ({ token: (await withKey(app)).token }) },
  createApiKey: {
    success: async (app) => ({ token: (await signedInPerson(app)).token, body: BODY }),
    not_found: async (app) => ({
      token: (await signedInPerson(app)).token,
      body: { ...BODY, deployments: [randomUUID()] },
    }),
    forbidden: async (app) => ({ token: (await staffMember(app)).token, body: BODY }),
    out_of_range: async (app) => {
      const { token } = await signedInPerson(app);
      for (let made = 0; made < 20; made++) await makeApiKey(app, token, {});
      return { token, body: BODY };
    },
  },
  revokeApiKey: { success: withKey },
  listKeyActs: {
    success: async (app) => ({ token: (await asked(app)).token, query: { status: 'waiting' } }),
  },
  getKeyAct: { success: asked },
  acceptKeyAct: { success: asked, already_decided: decided },
  declineKeyAct: { success: asked, already_decided: decided },
};
