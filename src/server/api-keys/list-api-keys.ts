import type { apiKeysEndpoints } from '#contract/api-keys.ts';
import { listApiKeys as list } from '#records/api-keys/api-keys.ts';
import type { Call } from '../http/call.ts';
import { showApiKey } from './show-api-key.ts';

export const listApiKeys: Call<typeof apiKeysEndpoints.listApiKeys> = async (
  { caller: { userId } },
  { records, now },
) => (await list(records.database, { userId, at: now() })).map(showApiKey);
