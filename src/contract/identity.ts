import { z } from 'zod';
import { PASSWORD_LENGTH_MIN } from '#rules/identity/password-problem.ts';
import { STAFF_ROLES } from '#rules/identity/staff-role.ts';
import { brokerConnection } from './brokerage.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { passkeyEndpoints, passkeyProof } from './passkeys.ts';
import { secondFactorEndpoints } from './second-factor.ts';
import { benchmarkedSeries } from './strategies/series.ts';
import { riskProfile } from './suitability.ts';

export const user = z
  .object({
    id: z.string(),
    email: z.string(),
    username: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    /** Support staff have the operations desk, the provider's staff publish strategies, auditors read the audit log, admins say who is staff. */
    role: z.enum(['investor', ...STAFF_ROLES]),
    /** Whether a link mailed to the address was followed. Until then we mail nothing but links there. */
    is_email_verified: z.boolean(),
    /** YYYY-MM-DD, or null until asked for (before the agreement). */
    date_of_birth: z.string().nullable(),
    /** ISO 3166-1 alpha-2, or null until asked for. */
    country: z.string().nullable(),
    /** Whether age and country allow investing; the reason is a sentence, null when eligible. */
    is_eligible: z.boolean(),
    eligibility_reason: z.string().nullable(),
    /** The newest version. */
    is_agreement_signed: z.boolean(),
    /** While an older version is signed and not the newest: what holds for what runs, and what is new. Null otherwise. */
    agreement_change: z
      .object({
        signed_version: z.string(),
        version: z.string(),
        /** What is new, as sentences. */
        changes: z.array(z.string()),
        /** From then on nothing new is opened until it is signed; null while there is no such day. Real time. */
        sign_by: z.string().nullable(),
        /** Whether it has come. */
        is_over: z.boolean(),
      })
      .meta({ id: 'AgreementChange' })
      .nullable(),
    /** Ids of this person's deployments, newest first. */
    deployed_strategies: z.array(z.string()),
    broker_connections: z.array(brokerConnection),
    /** Ids of the brokers with an active connection. */
    connectedBrokers: z.array(z.string()),
    /** All deployments together: net asset value in dollars against the benchmark. */
    performance: benchmarkedSeries,
    risk_profile: riskProfile.nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'User' });

export type User = z.infer<typeof user>;

/** Plain letters alone: others look like them, or are not seen at all, and staff know clients by their address. */
export const email = z
  .string('Email is required')
  .trim()
  .min(1, 'Email is required')
  .max(254, 'Email is too long')
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'This is not an e-mail address')
  .regex(/^[!-~]+$/, 'Letters with accents or from other alphabets are not taken in an e-mail address');
const password = z
  .string('Password is required')
  .min(1, 'Password is required')
  .max(1024, 'Password is too long');
export const newPassword = password.min(
  PASSWORD_LENGTH_MIN,
  `The password needs at least ${PASSWORD_LENGTH_MIN} characters`,
);
export const personName = z.string().trim().max(150, 'Name is too long');

const registerBody = z
  .object({
    email,
    /** The e-mail; anything else is ignored. */
    username: z.string().max(254).optional(),
    password: newPassword,
    confirm_password: z.string('Confirm the password').max(1024),
    first_name: z.string('Name is required').trim().min(1, 'Name is required').max(150, 'Name is too long'),
    last_name: personName.optional(),
  })
  .meta({ id: 'RegisterRequest' });

const loginBody = z
  .object({
    email,
    password,
    remember: z.boolean().optional(),
    code: z.string().max(32).optional(),
    passkey: passkeyProof.optional(),
  })
  .meta({ id: 'LoginRequest' });

const signedIn = z
  .object({
    token: z.string(),
    refreshToken: z.string(),
    user,
    refresh_expires_at: z.string(),
  })
  .meta({ id: 'SignedIn' });

const changeMeBody = z
  .object({
    first_name: personName.min(1, 'Name is required').optional(),
    last_name: personName.optional(),
    date_of_birth: z.iso.date('Use YYYY-MM-DD for the date of birth').optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'Use the two-letter ISO country code, such as US')
      .optional(),
  })
  .meta({ id: 'ChangeUserRequest' });

const openSession = z
  .object({
    id: z.string(),
    /** The browser and its system, such as Firefox on Linux. */
    device: z.string(),
    /** From where it was last used. */
    address: z.string(),
    /** The end of a sentence: what kind of network that is. No service is asked where an address lies. */
    place: z.string(),
    created_at: z.string(),
    last_used_at: z.string(),
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' });

export type OpenSession = z.infer<typeof openSession>;

const securityEvent = z
  .object({
    kind: z.string(),
    text: z.string(),
    device: z.string(),
    address: z.string(),
    at: z.string(),
  })
  .meta({ id: 'SecurityEvent' });

export const identityEndpoints = {
  register: endpoint(ROUTES.register, {
    room: 'identity',
    summary: 'Create an account',
    description:
      'Creates an account that can sign in at once, and mails a link to verify the address; the e-mail is its user name. Country and age are asked later, before the agreement.',
    security: 'open',
    body: registerBody,
    status: 201,
    answer: z
      .object({ id: z.string(), email: z.string(), first_name: z.string() })
      .meta({ id: 'Registered' }),
    refusals: ['email_taken', 'passwords_differ', 'weak_password'],
  }),
  login: endpoint(ROUTES.login, {
    room: 'identity',
    summary: 'Sign in with e-mail and password',
    description:
      'Returns an access token valid for ten minutes, a refresh token and the user. Five wrong passwords for an e-mail are checked a minute, and a hundred a day; further attempts wait. A browser that has signed in before carries a cookie and has attempts of its own. With two-factor sign-in on, `code` is a code of the app or a backup code, and `passkey` answers the challenge that the refusal code_required carries in `details.passkey` where there is a passkey.',
    security: 'open',
    body: loginBody,
    status: 200,
    answer: signedIn,
    refusals: ['authentication_failed', 'account_disabled', 'code_required', 'wrong_code', 'wrong_passkey'],
  }),
  refreshToken: endpoint(ROUTES.refreshToken, {
    room: 'identity',
    summary: 'Exchange a refresh token for new tokens',
    description:
      'A refresh token works once. Repeated within ten seconds it returns the same answer, so a lost reply loses no session; repeated later it ends the session.',
    security: 'open',
    body: z.object({ refresh: z.string().min(1).max(512) }).meta({ id: 'RefreshRequest' }),
    status: 200,
    answer: z
      .object({ access: z.string(), refresh: z.string(), refresh_expires_at: z.string() })
      .meta({ id: 'Refreshed' }),
    refusals: ['session_ended'],
  }),
  logout: endpoint(ROUTES.logout, {
    room: 'identity',
    summary: 'End this session',
    description:
      'Ends the session of this access token: its refresh token stops working, its streams close, and within a second no endpoint accepts it.',
    security: 'bearer',
    status: 204,
    answer: z.void(),
    refusals: [],
  }),
  getMe: endpoint(ROUTES.getMe, {
    room: 'identity',
    summary: 'The signed-in person',
    description:
      'The user with connections, risk profile, eligibility and the total value of all deployments over time.',
    security: 'bearer',
    status: 200,
    answer: user,
    refusals: [],
  }),
  changeMe: endpoint(ROUTES.changeMe, {
    room: 'identity',
    summary: 'Change your details',
    description:
      'Changes only the fields sent. An age or country that may not invest is refused with the reason.',
    security: 'bearer',
    body: changeMeBody,
    status: 200,
    answer: user,
    refusals: ['not_eligible'],
  }),
  changePassword: endpoint(ROUTES.changePassword, {
    room: 'identity',
    summary: 'Change the password; every other session ends',
    description: 'Needs the current password. All other sessions end, and open reset links stop working.',
    security: 'bearer',
    confirms: 'second factor',
    body: z
      .object({ old_password: password, new_password: newPassword })
      .meta({ id: 'ChangePasswordRequest' }),
    status: 204,
    answer: z.void(),
    refusals: ['wrong_password', 'weak_password'],
  }),
  requestPasswordReset: endpoint(ROUTES.requestPasswordReset, {
    room: 'identity',
    summary: 'E-mail a password reset link; the answer does not reveal whether the account exists',
    description:
      'If the account exists, a link is mailed that works once within half an hour. The answer and its timing are the same if it does not.',
    security: 'open',
    body: z.object({ email }).meta({ id: 'PasswordResetRequest' }),
    status: 204,
    answer: z.void(),
    refusals: [],
  }),
  confirmPasswordReset: endpoint(ROUTES.confirmPasswordReset, {
    room: 'identity',
    summary: 'Set a new password with a mailed link; all sessions end',
    description: 'Sets the account’s password and ends all its sessions.',
    security: 'open',
    body: z
      .object({
        token: z.string('The link is incomplete').min(1, 'The link is incomplete').max(200),
        new_password: newPassword,
        confirm_new_password: z.string('Confirm the password').max(1024),
      })
      .meta({ id: 'PasswordResetConfirmation' }),
    status: 204,
    answer: z.void(),
    refusals: ['passwords_differ', 'invalid_token', 'weak_password'],
  }),
  sendVerification: endpoint(ROUTES.sendVerification, {
    room: 'identity',
    summary: 'E-mail the link that verifies the address again',
    description:
      'Three links in a quarter of an hour at most; beyond that, and for a verified address, nothing is mailed and the answer is the same.',
    security: 'bearer',
    status: 204,
    answer: z.void(),
    refusals: [],
  }),
  verifyEmail: endpoint(ROUTES.verifyEmail, {
    room: 'identity',
    summary: 'Verify an address with a mailed link',
    description: 'Says that whoever reads the mails of the address has the account. It works for a day.',
    security: 'open',
    body: z
      .object({ token: z.string('The link is incomplete').min(1, 'The link is incomplete').max(200) })
      .meta({ id: 'VerifyEmailRequest' }),
    status: 204,
    answer: z.void(),
    refusals: ['invalid_token'],
  }),
  listSessions: endpoint(ROUTES.listSessions, {
    room: 'identity',
    summary: 'Where you are signed in',
    description:
      'The sessions that have not ended, the newest use first. Device is what the browser says of itself; a use is noted to the minute.',
    security: 'bearer',
    status: 200,
    answer: z.array(openSession),
    refusals: [],
  }),
  endSession: endpoint(ROUTES.endSession, {
    room: 'identity',
    summary: 'Sign out one session',
    confirms: 'always',
    description: 'Its refresh token stops working, and within a second no endpoint accepts its access token.',
    security: 'bearer',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
  endOtherSessions: endpoint(ROUTES.endOtherSessions, {
    room: 'identity',
    summary: 'Sign out every session but this one',
    confirms: 'always',
    description: 'The sessions end as one does when it is signed out.',
    security: 'bearer',
    status: 204,
    answer: z.void(),
    refusals: [],
  }),
  listSecurityEvents: endpoint(ROUTES.listSecurityEvents, {
    room: 'identity',
    summary: 'What happened to your sign-in lately',
    description:
      'The newest sign-ins, failed ones, and changes of password, sessions and second factor. Device is what the browser says of itself.',
    security: 'bearer',
    status: 200,
    answer: z.array(securityEvent),
    refusals: [],
  }),
  ...secondFactorEndpoints,
  ...passkeyEndpoints,
} as const;
