import type { identityEndpoints } from '#contract/identity.ts';
import { listSessions as readSessions } from '#records/identity/sessions.ts';
import { describeBrowser } from '#rules/identity/describe-browser.ts';
import { describePlace } from '#rules/identity/describe-place.ts';
import type { Call } from '../../http/call.ts';

export const listSessions: Call<typeof identityEndpoints.listSessions> = async (
  { caller, request },
  { records, now },
) => {
  const sessions = await readSessions(records.database, { userId: caller.userId, at: now() });
  return sessions.map(({ id, createdAt, lastUsedAt, address, userAgent }) => ({
    id,
    device: describeBrowser(userAgent),
    address,
    place: describePlace(address, request.ip),
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    is_current: id === caller.sessionId,
  }));
};
