import { z } from 'zod';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { passkeyProof } from './passkeys.ts';

const code = z.string('Enter the code').trim().min(1, 'Enter the code').max(32, 'This is no code');
const codeBody = z.object({ code }).meta({ id: 'CodeRequest' });

/** A code of the app, a backup code, or a passkey's answer to a challenge. */
const proofBody = z
  .object({ code: z.string().max(32, 'This is no code').optional(), passkey: passkeyProof.optional() })
  .meta({ id: 'SecondFactorProof' });

const backupCodes = z
  .object({
    /** Shown once; each works once. */
    backup_codes: z.array(z.string()),
  })
  .meta({ id: 'BackupCodes' });

/** Two-factor sign-in and confirmations: part of the room identity. */
export const secondFactorEndpoints = {
  getSecondFactor: endpoint(ROUTES.getSecondFactor, {
    room: 'identity',
    summary: 'Whether two-factor sign-in is on',
    description:
      'Which kinds there are, how many backup codes are left, and whether this account must have it.',
    security: 'bearer',
    status: 200,
    answer: z
      .object({
        /** An authenticator app, a passkey, or both. */
        is_on: z.boolean(),
        /** Since when the app is on; null without one. */
        app_since: z.string().nullable(),
        passkeys: z.int(),
        /** Browsers keep passkeys for a name with https or for localhost, not for an address of digits. */
        takes_passkeys: z.boolean(),
        backup_codes_left: z.int(),
        /** Staff of an installation that is no demo. */
        is_required: z.boolean(),
      })
      .meta({ id: 'SecondFactor' }),
    refusals: [],
  }),
  setUpSecondFactor: endpoint(ROUTES.setUpSecondFactor, {
    room: 'identity',
    summary: 'Begin to set up an authenticator app',
    description:
      'Makes a secret for an authenticator app: TOTP with SHA-1, six digits, 30 seconds. It counts once a code enables it.',
    security: 'bearer',
    confirms: 'always',
    status: 200,
    answer: z.object({ otpauth_url: z.string(), secret: z.string() }).meta({ id: 'SecondFactorSetup' }),
    refusals: ['already_exists'],
  }),
  enableSecondFactor: endpoint(ROUTES.enableSecondFactor, {
    room: 'identity',
    summary: 'Turn on the authenticator app with a first code',
    description:
      'Returns ten backup codes, which are not shown again; earlier ones stop working. All other sessions end.',
    security: 'bearer',
    confirms: 'always',
    body: codeBody,
    status: 200,
    answer: backupCodes,
    refusals: ['wrong_code'],
  }),
  disableSecondFactor: endpoint(ROUTES.disableSecondFactor, {
    room: 'identity',
    summary: 'Turn off the authenticator app',
    description:
      'Needs a code of the app, a backup code or a passkey. Without a passkey the backup codes stop working too.',
    security: 'bearer',
    body: proofBody,
    status: 204,
    answer: z.void(),
    refusals: ['wrong_code', 'wrong_passkey'],
  }),
  renewBackupCodes: endpoint(ROUTES.renewBackupCodes, {
    room: 'identity',
    summary: 'Replace the backup codes',
    description: 'Needs a code or a passkey. The earlier backup codes stop working.',
    security: 'bearer',
    body: proofBody,
    status: 200,
    answer: backupCodes,
    refusals: ['wrong_code', 'wrong_passkey'],
  }),
  confirmIdentity: endpoint(ROUTES.confirmIdentity, {
    room: 'identity',
    summary: 'Confirm that it is you',
    description:
      'For calls that refuse with confirmation_required: with a passkey or a code where two-factor sign-in is on, else with the password. Lasts ten minutes in this session.',
    security: 'bearer',
    body: proofBody.extend({ password: z.string().max(1024).optional() }).meta({ id: 'ConfirmationRequest' }),
    status: 204,
    answer: z.void(),
    refusals: ['wrong_code', 'wrong_passkey', 'wrong_password'],
  }),
} as const;
