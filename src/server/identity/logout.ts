import type { identityEndpoints } from '#contract/identity.ts';
import { endSession } from '#records/sessions.ts';
import type { Call } from '../call.ts';

export const logout: Call<typeof identityEndpoints.logout> = async ({ caller }, { records, now }) => {
  await endSession(records.database, caller.sessionId, now());
};
