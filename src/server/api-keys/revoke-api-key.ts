import type { apiKeysEndpoints } from '#contract/api-keys.ts';
import { revokeApiKey as revoke } from '#records/api-keys/api-keys.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { noteSecurityEvent } from '../identity/security-events.ts';

export const revokeApiKey: Call<typeof apiKeysEndpoints.revokeApiKey> = async (
  { params: { id }, caller: { userId }, request },
  dependencies,
) => {
  const { records, now } = dependencies;
  const outcome = await records.database
    .transaction()
    .execute((trx) => revoke(trx, { id, userId, at: now() }));
  if (outcome === 'absent') return notFound();
  if (outcome === 'revoked')
    await noteSecurityEvent({ kind: 'api_key_revoked', userId, request }, dependencies);
};
