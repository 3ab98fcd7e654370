import { z } from 'zod';
import {
  canAct,
  KEY_ACTS_MAX,
  KEY_BUDGET_MAX,
  KEY_DAYS_MAX,
  KEY_DEPLOYMENTS_MAX,
  KEY_NAME_MAX,
  KEY_SCOPES,
} from '#rules/api-keys/key-terms.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';

const scope = z.enum(KEY_SCOPES, 'Choose read, practice or trade');

const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The first characters of its secret. */
    prefix: z.string(),
    scopes: z.array(scope),
    /** Dollars that all its deployments may hold together; null where it only reads. */
    budget: z.number().nullable(),
    /** Dollars that they hold now: put in less taken out, and what is to be added. */
    held: z.number(),
    acts_per_day: z.number().int().nullable(),
    acts_today: z.number().int(),
    /** The deployments that it made, and those that were listed for it. */
    deployments: z.array(z.string()),
    /** Real time, all four. */
    created_at: z.string(),
    expires_at: z.string(),
    /** To the minute; null when it was never used. */
    last_used_at: z.string().nullable(),
    /** Null while it works. */
    revoked_at: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' });

export type ApiKey = z.infer<typeof apiKey>;

const createBody = z
  .strictObject({
    name: z
      .string('Name the key')
      .trim()
      .min(1, 'Name the key, such as the program that uses it')
      .max(KEY_NAME_MAX, `The name is too long: ${KEY_NAME_MAX} characters at most`),
    scopes: z.array(scope).min(1, 'Choose at least one scope').max(KEY_SCOPES.length),
    expires_in_days: z
      .int('Give a whole number of days')
      .min(1, 'At least one day')
      .max(KEY_DAYS_MAX, `At most ${KEY_DAYS_MAX} days`),
    budget: z
      .number('Give the budget in dollars')
      .min(0, 'The budget is zero or more')
      .max(KEY_BUDGET_MAX, 'The budget is too high')
      .optional(),
    acts_per_day: z
      .int('Give a whole number of acts a day')
      .min(1, 'At least one act a day')
      .max(KEY_ACTS_MAX, `At most ${KEY_ACTS_MAX} acts a day`)
      .optional(),
    deployments: z
      .array(z.string().max(100))
      .max(KEY_DEPLOYMENTS_MAX, `At most ${KEY_DEPLOYMENTS_MAX} deployments`)
      .default([]),
  })
  .superRefine(({ scopes, budget, acts_per_day: perDay, deployments }, context) => {
    const say = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (canAct(scopes)) {
      if (budget === undefined) say('budget', 'A key that acts needs a budget');
      if (perDay === undefined) say('acts_per_day', 'A key that acts needs a limit of acts a day');
      return;
    }
    if (budget !== undefined) say('budget', 'A key that only reads has no budget');
    if (perDay !== undefined) say('acts_per_day', 'A key that only reads makes no acts');
    if (deployments.length > 0) say('deployments', 'A key that only reads controls no deployments');
  })
  .meta({ id: 'CreateApiKeyRequest' });

const keyAct = z
  .object({
    id: z.string(),
    key: z.string(),
    key_name: z.string(),
    /** The call of this API that it is. */
    call: z.string(),
    /** What it does, as its owner reads it. */
    text: z.string(),
    deployment: z.string().nullable(),
    /** Dollars that it commits; 0 where it commits none. */
    amount: z.number(),
    /** waiting: for its owner. running: its outcome is not known yet. expired: nobody decided in time. withdrawn: its key was revoked. */
    status: z.enum(['running', 'done', 'refused', 'waiting', 'declined', 'expired', 'withdrawn']),
    /** Real time, all three. Until when it waits. */
    requested_at: z.string(),
    expires_at: z.string().nullable(),
    decided_at: z.string().nullable(),
    /** Why it was refused, as a sentence. */
    outcome: z.string().nullable(),
  })
  .meta({ id: 'KeyAct' });

export type KeyActView = z.infer<typeof keyAct>;

const room = { room: 'api-keys', security: 'bearer' } as const;

/** Personal API keys: programs and agents that act for a person, within limits. */
export const apiKeysEndpoints = {
  listApiKeys: endpoint(ROUTES.listApiKeys, {
    ...room,
    summary: 'Your API keys, newest first',
    description:
      'With what they may do and have done. The secret of a key is shown once, when it is created.',
    status: 200,
    answer: z.array(apiKey),
    refusals: [],
  }),
  createApiKey: endpoint(ROUTES.createApiKey, {
    ...room,
    confirms: 'second factor',
    summary: 'Create an API key',
    description:
      'secret is shown this once; only its hash is kept. A key with practice or trade needs a budget and a limit of acts a day, and controls what it makes itself and the deployments listed. Whatever real money, a liquidation or a higher amount needs waits for you.',
    body: createBody,
    status: 201,
    answer: z.object({ key: apiKey, secret: z.string() }).meta({ id: 'CreatedApiKey' }),
    refusals: ['forbidden', 'not_found', 'out_of_range'],
  }),
  revokeApiKey: endpoint(ROUTES.revokeApiKey, {
    ...room,
    params: idParams,
    summary: 'Revoke an API key',
    description:
      'Its next call is refused, and what waits for you is withdrawn. Its deployments go on. Repeating it changes nothing.',
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
  listKeyActs: endpoint(ROUTES.listKeyActs, {
    ...room,
    summary: 'What your API keys did and ask for, newest first',
    description: 'The newest 200. A key sees its own.',
    query: z.object({
      status: z.enum(['waiting']).optional().describe('Only those that wait for a decision.'),
    }),
    status: 200,
    answer: z.array(keyAct),
    refusals: [],
  }),
  getKeyAct: endpoint(ROUTES.getKeyAct, {
    ...room,
    params: idParams,
    summary: 'One act of an API key, with what became of it',
    description: 'What it asks for, and why it was refused. A key sees its own.',
    status: 200,
    answer: keyAct,
    refusals: ['not_found'],
  }),
  acceptKeyAct: endpoint(ROUTES.acceptKeyAct, {
    ...room,
    params: idParams,
    confirms: 'second factor',
    summary: 'Accept what an API key asks for: it is carried out now',
    description:
      'Every check of the act is made now, as if you asked yourself, and the budget of the key holds. Where one fails, status is refused and outcome says why. It is carried out once, however often this is called.',
    status: 200,
    answer: keyAct,
    refusals: ['not_found', 'already_decided'],
  }),
  declineKeyAct: endpoint(ROUTES.declineKeyAct, {
    ...room,
    params: idParams,
    summary: 'Decline what an API key asks for',
    description: 'Nothing is done, and the program can read that you declined.',
    status: 200,
    answer: keyAct,
    refusals: ['not_found', 'already_decided'],
  }),
} as const;
