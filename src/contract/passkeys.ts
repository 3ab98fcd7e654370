import { z } from 'zod';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const BYTES_MAX = 8_192;
const bytes = z
  .string()
  .min(1)
  .max(BYTES_MAX)
  .regex(/^[\w-]+$/, 'This is not base64url');

const passkeyName = z
  .string('Name the passkey')
  .trim()
  .min(1, 'Name the passkey, such as the device that keeps it')
  .max(60, 'The name is too long: 60 characters at most');

/** What a browser answers to a challenge: AuthenticationResponseJSON of WebAuthn. */
export const passkeyProof = z
  .object({
    id: bytes,
    rawId: bytes,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: bytes.optional(),
    }),
    clientExtensionResults: z.object({}).default({}),
  })
  .meta({ id: 'PasskeyProof' });

export type PasskeyProof = z.infer<typeof passkeyProof>;

/** What a browser answers when it has made a passkey: RegistrationResponseJSON of WebAuthn. */
const newPasskey = z
  .object({
    id: bytes,
    rawId: bytes,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: bytes,
      attestationObject: bytes,
      transports: z.array(z.string().max(30)).max(10).optional(),
    }),
    clientExtensionResults: z.object({}).default({}),
  })
  .meta({ id: 'NewPasskey' });

const passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Whether the device keeps copies elsewhere, such as in a password manager. */
    is_synced: z.boolean(),
    created_at: z.string(),
    /** Null when it was never used to sign in or confirm. */
    last_used_at: z.string().nullable(),
  })
  .meta({ id: 'Passkey' });

export type Passkey = z.infer<typeof passkey>;

/** The options go to the browser as they are. */
const options = z.looseObject({ challenge: z.string() });

/** Passkeys as a second factor: part of the room identity. */
export const passkeyEndpoints = {
  listPasskeys: endpoint(ROUTES.listPasskeys, {
    room: 'identity',
    summary: 'Your passkeys',
    description: 'The oldest first. Only the public half of each is known here.',
    security: 'bearer',
    status: 200,
    answer: z.array(passkey),
    refusals: [],
  }),
  preparePasskey: endpoint(ROUTES.preparePasskey, {
    room: 'identity',
    summary: 'Begin to add a passkey',
    description:
      'Options for navigator.credentials.create, as PublicKeyCredentialCreationOptionsJSON. The challenge works once, within five minutes and in this session.',
    security: 'bearer',
    confirms: 'always',
    status: 200,
    answer: options.meta({ id: 'PasskeyCreationOptions' }),
    refusals: ['out_of_range'],
  }),
  addPasskey: endpoint(ROUTES.addPasskey, {
    room: 'identity',
    summary: 'Add the passkey that the browser has made',
    description:
      'The first second factor of an account comes with ten backup codes, which are not shown again, and ends all other sessions.',
    security: 'bearer',
    confirms: 'always',
    body: z.object({ name: passkeyName, credential: newPasskey }).meta({ id: 'AddPasskeyRequest' }),
    status: 201,
    answer: z
      .object({
        passkey,
        /** Null where there were some before. */
        backup_codes: z.array(z.string()).nullable(),
      })
      .meta({ id: 'AddedPasskey' }),
    refusals: ['wrong_passkey', 'already_exists', 'out_of_range'],
  }),
  changePasskey: endpoint(ROUTES.changePasskey, {
    room: 'identity',
    summary: 'Rename a passkey',
    description: 'The name helps to tell your passkeys apart and has no other effect.',
    security: 'bearer',
    params: idParams,
    body: z.object({ name: passkeyName }).meta({ id: 'ChangePasskeyRequest' }),
    status: 200,
    answer: passkey,
    refusals: ['not_found'],
  }),
  removePasskey: endpoint(ROUTES.removePasskey, {
    room: 'identity',
    summary: 'Remove a passkey',
    description: 'It signs in no more. With the last second factor the backup codes go too.',
    security: 'bearer',
    confirms: 'second factor',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
  challengePasskey: endpoint(ROUTES.challengePasskey, {
    room: 'identity',
    summary: 'Ask for a challenge that a passkey answers',
    description:
      'Options for navigator.credentials.get, as PublicKeyCredentialRequestOptionsJSON, to confirm in this session that it is you. The challenge works once, within five minutes. A sign-in gets its own with the refusal code_required.',
    security: 'bearer',
    status: 200,
    answer: options.meta({ id: 'PasskeyRequestOptions' }),
    refusals: ['not_found'],
  }),
} as const;
