import type { FastifyRequest } from 'fastify';
import type { Database } from '#records/postgres/database.ts';
import {
  findMeasuredStrategy,
  findPublicStrategy,
  type StrategyRecord,
} from '#records/strategies/strategies.ts';
import { findDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { getRole } from '#records/identity/users.ts';
import type { Caller } from '../http/call.ts';
import { notFound, refuse, type Refused } from '../http/refusal.ts';
import { mayWrite } from './drafts/may-write.ts';

type Asked = {
  readonly params: { readonly id: string };
  readonly caller: Caller | null;
  readonly request: FastifyRequest;
};

/** A public strategy for everybody; for whoever may write it, a draft too, once it has a result. */
export async function findShownStrategy(
  database: Database,
  { params, caller, request }: Asked,
): Promise<StrategyRecord | Refused> {
  const known = await findPublicStrategy(database, params.id);
  if (known) return known;
  if (caller === null) {
    // Whoever came with a token that has run out gets the chance to renew it before being told that nothing is there.
    const hadToken = request.headers.authorization !== undefined;
    return hadToken ? refuse('unauthenticated', 'Please sign in.') : notFound();
  }
  const draft = await findDraft(database, params.id);
  if (!draft) return notFound();
  const writer = { userId: caller.userId, role: await getRole(database, caller.userId) };
  if (!mayWrite(writer, draft)) return notFound();
  return (await findMeasuredStrategy(database, draft.id)) ?? notFound();
}
