import type { identityEndpoints } from '#contract/identity.ts';
import { endSession } from '#records/identity/sessions.ts';
import type { Call } from '../http/call.ts';
import { noteSecurityEvent } from './security-events.ts';

export const logout: Call<typeof identityEndpoints.logout> = async ({ caller, request }, dependencies) => {
  const { records, now } = dependencies;
  await endSession(records.database, caller.sessionId, now());
  await noteSecurityEvent({ kind: 'signed_out', userId: caller.userId, request }, dependencies);
};
