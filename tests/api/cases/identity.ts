import { randomUUID } from 'node:crypto';
import type { identityEndpoints } from '../../../src/contract/identity.ts';
import { newResetToken } from '#records/identity/reset-token.ts';
import type { TestApp } from '../../support/test-app.ts';
import { codeAt, twoFactorPerson } from '../../support/second-factor.ts';
import { addPasskey, passkeyPerson, softwarePasskey } from '../../support/software-passkey.ts';
import { PASSWORD, signedInPerson } from '../../support/test-person.ts';
import type { CallCase, CasesOf } from '../call-case.ts';

const registration = (email: string) => ({
  email,
  username: email,
  password: PASSWORD,
  confirm_password: PASSWORD,
  first_name: 'Ada',
});
const newcomer = () => registration(`${randomUUID()}@example.test`);

async function resetLink(app: TestApp): Promise<string> {
  const person = await signedInPerson(app);
  const { token, hash } = newResetToken();
  await app.records.pool.query(
    `insert into password_resets (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)`,
    [hash, person.id, new Date(app.world.now), new Date(app.world.now + 60_000)],
  );
  return token;
}

const renewed = { new_password: 'another long one', confirm_new_password: 'another long one' };

async function verificationLink(app: TestApp): Promise<string> {
  const person = await signedInPerson(app);
  const { token, hash } = newResetToken();
  await app.records.pool.query(
    `insert into email_verifications (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)`,
    [hash, person.id, new Date(app.world.now), new Date(app.world.now + 60_000)],
  );
  return token;
}

const NEVER_GIVEN = { challenge: 'bmV2ZXIgZ2l2ZW4' };

const wrongPasskey: CallCase = async (app) => {
  const { token, device } = await passkeyPerson(app);
  return { token, body: { passkey: device.prove(NEVER_GIVEN) } };
};

async function newCredential(app: TestApp, token: string) {
  const { body } = await app.request({ method: 'POST', url: '/api/auth/passkeys/options/', token });
  return softwarePasskey(app.dependencies.config.publicUrl).register(body);
}

/** As many as an account keeps. */
async function manyPasskeys(app: TestApp, token: string | null = null): Promise<{ readonly token: string }> {
  const owner = token ?? (await signedInPerson(app)).token;
  for (let i = token === null ? 0 : 1; i < 10; i++)
    await addPasskey(app, owner, softwarePasskey(app.dependencies.config.publicUrl));
  return { token: owner };
}

export const identityCases: CasesOf<typeof identityEndpoints> = {
  sendVerification: { success: async (app) => ({ token: (await signedInPerson(app)).token }) },
  verifyEmail: {
    success: async (app) => ({ body: { token: await verificationLink(app) } }),
    invalid_token: async () => ({ body: { token: 'never was one' } }),
  },
  register: {
    success: async () => ({ body: newcomer() }),
    email_taken: async (app) => ({ body: registration((await signedInPerson(app)).email) }),
    passwords_differ: async () => ({ body: { ...newcomer(), confirm_password: 'something else' } }),
    weak_password: async () => ({
      body: { ...newcomer(), password: 'qwertyuiop', confirm_password: 'qwertyuiop' },
    }),
  },
  login: {
    success: async (app) => ({ body: { email: (await signedInPerson(app)).email, password: PASSWORD } }),
    authentication_failed: async (app) => ({
      body: { email: (await signedInPerson(app)).email, password: 'not this one' },
    }),
    account_disabled: async (app) => {
      const { id, email } = await signedInPerson(app);
      await app.records.pool.query('update users set disabled_at = now() where id = $1', [id]);
      return { body: { email, password: PASSWORD } };
    },
    code_required: async (app) => ({
      body: { email: (await twoFactorPerson(app)).email, password: PASSWORD },
    }),
    wrong_code: async (app) => ({
      body: { email: (await twoFactorPerson(app)).email, password: PASSWORD, code: 'AAAA-AAAA' },
    }),
    wrong_passkey: async (app) => {
      const { email, device } = await passkeyPerson(app);
      return { body: { email, password: PASSWORD, passkey: device.prove(NEVER_GIVEN) } };
    },
  },
  refreshToken: {
    success: async (app) => ({ body: { refresh: (await signedInPerson(app)).refresh } }),
    session_ended: async () => ({ body: { refresh: 'never-was-one' } }),
  },
  logout: { success: async (app) => ({ token: (await signedInPerson(app)).token }) },
  getMe: { success: async (app) => ({ token: (await signedInPerson(app)).token }) },
  changeMe: {
    success: async (app) => ({
      token: (await signedInPerson(app)).token,
      body: { first_name: 'Eva', country: 'CH', date_of_birth: '1980-02-29' },
    }),
    not_eligible: async (app) => ({ token: (await signedInPerson(app)).token, body: { country: 'FR' } }),
  },
  changePassword: {
    success: async (app) => ({
      token: (await signedInPerson(app)).token,
      body: { old_password: PASSWORD, new_password: 'another long one' },
    }),
    wrong_password: async (app) => ({
      token: (await signedInPerson(app)).token,
      body: { old_password: 'not this one', new_password: 'another long one' },
    }),
    weak_password: async (app) => ({
      token: (await signedInPerson(app)).token,
      body: { old_password: PASSWORD, new_password: 'Password2026' },
    }),
  },
  requestPasswordReset: {
    success: async (app) => ({ body: { email: (await signedInPerson(app)).email } }),
  },
  confirmPasswordReset: {
    success: async (app) => ({ body: { token: await resetLink(app), ...renewed } }),
    passwords_differ: async (app) => ({
      body: { token: await resetLink(app), ...renewed, confirm_new_password: 'else' },
    }),
    weak_password: async (app) => ({
      body: {
        token: await resetLink(app),
        new_password: 'bellwether1',
        confirm_new_password: 'bellwether1',
      },
    }),
    invalid_token: async () => ({ body: { token: 'never-was-one', ...renewed } }),
  },
  listSessions: { success: async (app) => ({ token: (await signedInPerson(app)).token }) },
  endSession: {
    success: async (app) => {
      const { id, token } = await signedInPerson(app);
      const { rows } = await app.records.pool.query('select id from sessions where user_id = $1', [id]);
      return { token, params: { id: rows[0].id } };
    },
  },
  endOtherSessions: { success: async (app) => ({ token: (await signedInPerson(app)).token }) },
  listSecurityEvents: { success: async (app) => ({ token: (await signedInPerson(app)).token }) },
  getSecondFactor: { success: async (app) => ({ token: (await signedInPerson(app)).token }) },
  setUpSecondFactor: {
    success: async (app) => ({ token: (await signedInPerson(app)).token }),
    already_exists: async (app) => ({ token: (await twoFactorPerson(app)).token }),
  },
  enableSecondFactor: {
    success: async (app) => {
      const { token } = await signedInPerson(app);
      const { body } = await app.request({ method: 'POST', url: '/api/auth/2fa/setup/', token });
      return { token, body: { code: codeAt(body.secret, app.world.now) } };
    },
    wrong_code: async (app) => ({ token: (await signedInPerson(app)).token, body: { code: '000000' } }),
  },
  disableSecondFactor: {
    success: async (app) => {
      const { token, backupCodes } = await twoFactorPerson(app);
      return { token, body: { code: backupCodes[0] } };
    },
    wrong_code: async (app) => ({ token: (await twoFactorPerson(app)).token, body: { code: 'AAAA-AAAA' } }),
    wrong_passkey: wrongPasskey,
  },
  renewBackupCodes: {
    success: async (app) => {
      const { token, nextCode } = await twoFactorPerson(app);
      return { token, body: { code: nextCode() } };
    },
    wrong_code: async (app) => ({ token: (await twoFactorPerson(app)).token, body: { code: 'AAAA-AAAA' } }),
    wrong_passkey: wrongPasskey,
  },
  listPasskeys: { success: async (app) => ({ token: (await passkeyPerson(app)).token }) },
  preparePasskey: {
    success: async (app) => ({ token: (await signedInPerson(app)).token }),
    out_of_range: async (app) => ({ token: (await manyPasskeys(app)).token }),
  },
  addPasskey: {
    success: async (app) => {
      const { token } = await signedInPerson(app);
      return { token, body: { name: 'This laptop', credential: await newCredential(app, token) } };
    },
    wrong_passkey: async (app) => {
      const credential = softwarePasskey(app.dependencies.config.publicUrl).register(NEVER_GIVEN);
      return { token: (await signedInPerson(app)).token, body: { name: 'This laptop', credential } };
    },
    already_exists: async (app) => {
      const { token, device } = await passkeyPerson(app);
      const { body } = await app.request({ method: 'POST', url: '/api/auth/passkeys/options/', token });
      return { token, body: { name: 'Again', credential: device.register(body) } };
    },
    out_of_range: async (app) => {
      const { token } = await passkeyPerson(app);
      const credential = await newCredential(app, token);
      await manyPasskeys(app, token);
      return { token, body: { name: 'One more', credential } };
    },
  },
  challengePasskey: {
    success: async (app) => ({ token: (await passkeyPerson(app)).token }),
    not_found: async (app) => ({ token: (await signedInPerson(app)).token }),
  },
  changePasskey: {
    success: async (app) => {
      const { token, passkeyId: id } = await passkeyPerson(app);
      return { token, params: { id }, body: { name: 'Office laptop' } };
    },
  },
  removePasskey: {
    success: async (app) => {
      const { token, passkeyId: id } = await passkeyPerson(app);
      return { token, params: { id } };
    },
  },
  confirmIdentity: {
    success: async (app) => ({ token: (await signedInPerson(app)).token, body: { password: PASSWORD } }),
    wrong_password: async (app) => ({
      token: (await signedInPerson(app)).token,
      body: { password: 'not this one' },
    }),
    wrong_code: async (app) => ({ token: (await twoFactorPerson(app)).token, body: { code: 'AAAA-AAAA' } }),
    wrong_passkey: wrongPasskey,
  },
};
