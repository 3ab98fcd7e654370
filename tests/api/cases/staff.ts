import { randomUUID } from 'node:crypto';
import type { staffEndpoints } from '#contract/staff.ts';
import { newResetToken } from '#records/identity/reset-token.ts';
import { giveRole } from '../../support/give-role.ts';
import type { TestApp } from '../../support/test-app.ts';
import { PASSWORD, signedInPerson } from '../../support/test-person.ts';
import type { CasesOf } from '../call-case.ts';
import { supportPerson } from '../scene.ts';

async function admin(app: TestApp) {
  const person = await signedInPerson(app);
  await giveRole(app.records, person, 'admin');
  return person;
}

const nobody = async (app: TestApp) => ({ token: (await signedInPerson(app)).token });

const inviting = async (app: TestApp) => ({
  token: (await admin(app)).token,
  body: { email: `${randomUUID()}@example.test`, role: 'support' },
});

async function invited(app: TestApp) {
  const { token, body } = await inviting(app);
  const url = '/api/staff/invitations/';
  const { body: made } = await app.request({ method: 'POST', url, token, body });
  return { token, email: body.email, params: { id: made.id as string } };
}

/** With the link that the mail would carry. */
async function accepting(app: TestApp) {
  const { params, email } = await invited(app);
  const { token, hash } = newResetToken();
  await app.records.pool.query(
    'update staff_invitations set token_hash = $2, expires_at = $3 where id = $1',
    [params.id, hash, new Date(app.world.now + 60_000)],
  );
  return { email, body: { token, first_name: 'Sue', password: PASSWORD, confirm_password: PASSWORD } };
}

const changing = async (app: TestApp) => ({
  token: (await admin(app)).token,
  params: { id: (await supportPerson(app)).id },
});

const ownAccount = async (app: TestApp) => {
  const { token, id } = await admin(app);
  return { token, params: { id } };
};

export const staffCases: CasesOf<typeof staffEndpoints> = {
  listStaff: {
    success: async (app) => ({ token: (await invited(app)).token }),
    not_found: nobody,
  },
  inviteStaff: {
    success: inviting,
    not_found: async (app) => ({ ...(await inviting(app)), ...(await nobody(app)) }),
    email_taken: async (app) => {
      const { token } = await admin(app);
      return { token, body: { email: (await signedInPerson(app)).email, role: 'support' } };
    },
    idempotency_conflict: async (app) => {
      const sent = await inviting(app);
      const headers = { 'idempotency-key': randomUUID() };
      const url = '/api/staff/invitations/';
      await app.request({
        method: 'POST',
        url,
        token: sent.token,
        headers,
        body: { ...sent.body, role: 'admin' },
      });
      return { ...sent, headers };
    },
  },
  withdrawInvitation: {
    success: async (app) => {
      const { token, params } = await invited(app);
      return { token, params };
    },
  },
  acceptInvitation: {
    success: async (app) => ({ body: (await accepting(app)).body }),
    invalid_token: async (app) => ({ body: { ...(await accepting(app)).body, token: 'never was one' } }),
    passwords_differ: async (app) => ({
      body: { ...(await accepting(app)).body, confirm_password: 'something else' },
    }),
    weak_password: async (app) => ({
      body: { ...(await accepting(app)).body, password: 'qwertyuiop', confirm_password: 'qwertyuiop' },
    }),
    email_taken: async (app) => {
      const { email, body } = await accepting(app);
      const registration = { email, password: PASSWORD, confirm_password: PASSWORD, first_name: 'Eve' };
      await app.request({ method: 'POST', url: '/api/auth/register/', body: registration });
      return { body };
    },
  },
  takeStaffRole: { success: changing, forbidden: ownAccount },
  disableAccount: { success: changing, forbidden: ownAccount },
  enableAccount: { success: changing, forbidden: ownAccount },
};
