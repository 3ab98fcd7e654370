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

/** A public strategy for all callers; a draft, once it has a result, only for those who may edit it. */
export async function findShownStrategy(
  database: Database,
  { params, caller, request }: Asked,
): Promise<StrategyRecord | Refused> {
  const known = await findPublicStrategy(database, params.id);
  if (known) return known;
  if (caller === null) {
    // A caller with an expired token may renew it before getting "not found".
    const hadToken = request.headers.authorization !== undefined;
    return hadToken ? refuse('unauthenticated', 'Please sign in.') : notFound();
  }
  const draft = await findDraft(database, params.id);
  if (!draft) return notFound();
  const writer = { userId: caller.userId, role: await getRole(database, caller.userId) };
  if (!mayWrite(writer, draft)) return notFound();
  return (await findMeasuredStrategy(database, draft.id)) ?? notFound();
}
