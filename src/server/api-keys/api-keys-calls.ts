import type { apiKeysEndpoints } from '#contract/api-keys.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { acceptKeyAct, type Acts } from './accept-key-act.ts';
import { createApiKey } from './create-api-key.ts';
import { declineKeyAct } from './decline-key-act.ts';
import { getKeyAct, listKeyActs } from './list-key-acts.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';

/** `acts`: the calls that may wait for the person, by their names. */
export const apiKeysCalls = (acts: Acts): RoomCalls<typeof apiKeysEndpoints> => ({
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listKeyActs,
  getKeyAct,
  acceptKeyAct: acceptKeyAct(acts),
  declineKeyAct,
});
