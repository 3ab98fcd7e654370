import type { identityEndpoints } from '#contract/identity.ts';
import { endOtherSessions as endOthers, endOwnSession } from '#records/identity/sessions.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';

export const endSession: Call<typeof identityEndpoints.endSession> = async (
  { params, caller },
  { records, now },
) => {
  const session = { sessionId: params.id, userId: caller.userId, at: now() };
  return (await endOwnSession(records.database, session)) ? undefined : notFound();
};

export const endOtherSessions: Call<typeof identityEndpoints.endOtherSessions> = async (
  { caller },
  { records, now },
) => {
  await endOthers(records.database, { ...caller, at: now() });
};
