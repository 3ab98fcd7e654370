import type { apiKeysEndpoints } from '#contract/api-keys.ts';
import type { Call } from '../http/call.ts';
import { isRefused } from '../http/refusal.ts';
import { decide, showOwnAct } from './decide-key-act.ts';

export const declineKeyAct: Call<typeof apiKeysEndpoints.declineKeyAct> = async (
  { params: { id }, caller: { userId } },
  dependencies,
) => {
  const decided = await decide({ id, userId, verdict: 'declined' }, dependencies);
  return isRefused(decided) ? decided : showOwnAct({ id, userId }, dependencies);
};
