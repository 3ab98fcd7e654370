import { randomBytes, randomUUID } from 'node:crypto';
import type { apiKeysEndpoints } from '#contract/api-keys.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import { countWorkingKeys, insertApiKey, listApiKeys, listOwnLive } from '#records/api-keys/api-keys.ts';
import { getUser } from '#records/identity/users.ts';
import { KEY_MARK, KEYS_MAX } from '#rules/api-keys/key-terms.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import type { Call } from '../http/call.ts';
import { refuse, type Refused } from '../http/refusal.ts';
import { noteSecurityEvent } from '../identity/security-events.ts';
import { showApiKey } from './show-api-key.ts';

const PREFIX_LENGTH = KEY_MARK.length + 8;

/** 256 random bits, shown once. Staff have none: what they may do is for persons. */
export const createApiKey: Call<typeof apiKeysEndpoints.createApiKey> = async (
  { body, caller: { userId }, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  const id = randomUUID();
  const secret = KEY_MARK + randomBytes(32).toString('base64url');
  const at = now();
  const refused = await records.database.transaction().execute(async (trx): Promise<Refused | null> => {
    await lockPerson(trx, userId);
    if ((await getUser(trx, userId)).role !== 'investor')
      return refuse('forbidden', 'Accounts of staff have no API keys.');
    if ((await countWorkingKeys(trx, userId, at)) >= KEYS_MAX)
      return refuse('out_of_range', `You have ${KEYS_MAX} API keys that work. Revoke one first.`);
    const named = [...new Set(body.deployments)];
    const own = await listOwnLive(trx, userId, named);
    if (own.length < named.length)
      return refuse('not_found', 'One of these deployments is not yours, or has ended', {
        field: 'deployments',
      });
    await insertApiKey(trx, {
      id,
      userId,
      name: body.name,
      prefix: secret.slice(0, PREFIX_LENGTH),
      secret,
      scopes: [...new Set(body.scopes)],
      budget: body.budget === undefined ? null : toMicro(body.budget),
      actsPerDay: body.acts_per_day ?? null,
      deployments: own,
      at,
      expiresAt: (at + body.expires_in_days * DAY_MS) as Instant,
    });
    return null;
  });
  if (refused !== null) return refused;
  await noteSecurityEvent({ kind: 'api_key_created', userId, request }, dependencies);
  const [made] = await listApiKeys(records.database, { userId, at, id });
  if (made === undefined) throw new Error(`the new API key ${id} is gone`);
  return { key: showApiKey(made), secret };
};
