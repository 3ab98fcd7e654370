import { sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';

type Key = { readonly userId: UserId; readonly endpoint: string; readonly key: string };
type Claim = Key & { readonly requestHash: string };

type ClaimResult =
  | { readonly outcome: 'claimed' }
  | { readonly outcome: 'answered'; readonly status: number; readonly response: unknown }
  | { readonly outcome: 'other_request' | 'running' };

/** The claim of a dead process expires after this long: far more than any request may take. */
const ABANDONED_AFTER = '2 minutes';

/** Claims the key for one request. Of several concurrent callers exactly one gets 'claimed'. */
export async function claimIdempotencyKey(database: Database, claim: Claim): Promise<ClaimResult> {
  const { userId, endpoint, key, requestHash } = claim;
  const claimed = await database
    .insertInto('idempotency_keys')
    .values({ user_id: userId, endpoint, key, request_hash: requestHash })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'endpoint', 'key'])
        .doUpdateSet({ created_at: sql`now()` })
        .where('idempotency_keys.status', 'is', null)
        .where('idempotency_keys.request_hash', '=', requestHash)
        .where('idempotency_keys.created_at', '<', sql<Date>`now() - ${ABANDONED_AFTER}::interval`),
    )
    .returning('key')
    .executeTakeFirst();
  if (claimed) return { outcome: 'claimed' };
  const found = await database
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'response'])
    .where('user_id', '=', userId)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!found) return { outcome: 'running' };
  if (found.request_hash !== requestHash) return { outcome: 'other_request' };
  if (found.status === null) return { outcome: 'running' };
  return { outcome: 'answered', status: found.status, response: found.response };
}

export async function keepAnswer(
  database: Database,
  answer: Key & { readonly status: number; readonly response: unknown },
): Promise<void> {
  await database
    .updateTable('idempotency_keys')
    .set({ status: answer.status, response: JSON.stringify(answer.response ?? null) })
    .where('user_id', '=', answer.userId)
    .where('endpoint', '=', answer.endpoint)
    .where('key', '=', answer.key)
    .execute();
}

export async function releaseIdempotencyKey(database: Database, key: Key): Promise<void> {
  await database
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', key.userId)
    .where('endpoint', '=', key.endpoint)
    .where('key', '=', key.key)
    .where('status', 'is', null)
    .execute();
}
