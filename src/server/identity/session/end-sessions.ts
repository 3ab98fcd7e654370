import type { identityEndpoints } from '#contract/identity.ts';
import { endOtherSessions as endOthers, endOwnSession } from '#records/identity/sessions.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { noteSecurityEvent } from '../security-events.ts';

export const endSession: Call<typeof identityEndpoints.endSession> = async (
  { params, caller, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  const { userId } = caller;
  const ended = await endOwnSession(records.database, { sessionId: params.id, userId, at: now() });
  if (!ended) return notFound();
  return noteSecurityEvent({ kind: 'session_ended', userId, request }, dependencies);
};

export const endOtherSessions: Call<typeof identityEndpoints.endOtherSessions> = async (
  { caller, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  await endOthers(records.database, { ...caller, at: now() });
  return noteSecurityEvent({ kind: 'other_sessions_ended', userId: caller.userId, request }, dependencies);
};
