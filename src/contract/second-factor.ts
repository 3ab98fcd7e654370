import { z } from 'zod';
import { endpoint } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const code = z.string('Enter the code').trim().min(1, 'Enter the code').max(32, 'This is no code');
const codeBody = z.object({ code }).meta({ id: 'CodeRequest' });

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
      'Since when it is on, how many backup codes are left, and whether this account must have it.',
    security: 'bearer',
    status: 200,
    answer: z
      .object({
        is_on: z.boolean(),
        since: z.string().nullable(),
        backup_codes_left: z.int(),
        /** Staff of an installation that is no demo. */
        is_required: z.boolean(),
      })
      .meta({ id: 'SecondFactor' }),
    refusals: [],
  }),
  setUpSecondFactor: endpoint(ROUTES.setUpSecondFactor, {
    room: 'identity',
    summary: 'Begin to set up two-factor sign-in',
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
    summary: 'Turn on two-factor sign-in with a first code',
    description: 'Returns ten backup codes, which are not shown again. All other sessions end.',
    security: 'bearer',
    confirms: 'always',
    body: codeBody,
    status: 200,
    answer: backupCodes,
    refusals: ['wrong_code'],
  }),
  disableSecondFactor: endpoint(ROUTES.disableSecondFactor, {
    room: 'identity',
    summary: 'Turn off two-factor sign-in',
    description: 'Needs a code of the app or a backup code. The backup codes stop working.',
    security: 'bearer',
    body: codeBody,
    status: 204,
    answer: z.void(),
    refusals: ['wrong_code'],
  }),
  renewBackupCodes: endpoint(ROUTES.renewBackupCodes, {
    room: 'identity',
    summary: 'Replace the backup codes',
    description: 'Needs a code. The earlier backup codes stop working.',
    security: 'bearer',
    body: codeBody,
    status: 200,
    answer: backupCodes,
    refusals: ['wrong_code'],
  }),
  confirmIdentity: endpoint(ROUTES.confirmIdentity, {
    room: 'identity',
    summary: 'Confirm that it is you',
    description:
      'For calls that refuse with confirmation_required: with a code where two-factor sign-in is on, else with the password. Lasts ten minutes in this session.',
    security: 'bearer',
    body: z
      .object({ code: z.string().max(32).optional(), password: z.string().max(1024).optional() })
      .meta({ id: 'ConfirmationRequest' }),
    status: 204,
    answer: z.void(),
    refusals: ['wrong_code', 'wrong_password'],
  }),
} as const;
