import type { identityEndpoints } from '#contract/identity.ts';
import { endSession } from '#records/identity/sessions.ts';
import type { Call } from '../http/call.ts';

export const logout: Call<typeof identityEndpoints.logout> = async ({ caller }, { records, now }) => {
  await endSession(records.database, caller.sessionId, now());
};
