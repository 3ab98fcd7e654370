import type { FastifyRequest } from 'fastify';
import type { Database } from '#records/postgres/database.ts';
import {
  findMeasuredStrategy,
  findPublicStrategy,
  type StrategyRecord,
} from '#records/strategies/strategies.ts';
import { findDraft, type StrategyDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { getRole, type UserRole } from '#records/identity/users.ts';
import type { Caller } from '../http/call.ts';
import { notFound, type Refused } from '../http/refusal.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { mayWrite } from './drafts/may-write.ts';
import { refuseDeadToken, refuseFigures } from './refuse-figures.ts';

type Asked = {
  readonly params: { readonly id: string };
  readonly caller: Caller | null;
  readonly request: FastifyRequest;
};

/** A public strategy for all callers who may see its figures; a draft, once it has a result, only for those who may edit it or decide about it. */
export async function findShownStrategy(
  dependencies: Pick<Dependencies, 'records' | 'now'>,
  { params, caller, request }: Asked,
): Promise<StrategyRecord | Refused> {
  const { database } = dependencies.records;
  const known = await findPublicStrategy(database, params.id);
  if (known) {
    const hidden = await refuseFigures(caller, dependencies);
    return hidden === null ? known : (refuseDeadToken(caller, request) ?? hidden);
  }
  if (caller === null) return refuseDeadToken(caller, request) ?? notFound();
  const draft = await findDraft(database, params.id);
  if (!draft) return notFound();
  const writer = { userId: caller.userId, role: await getRole(database, caller.userId) };
  if (!mayWrite(writer, draft) && !(await mayReview(database, writer.role, draft))) return notFound();
  return (await findMeasuredStrategy(database, draft.id)) ?? notFound();
}

/** Staff of the provider read each other's drafts: a second person decides whether one is published. */
async function mayReview(
  database: Database,
  role: UserRole,
  { ownerId }: Pick<StrategyDraft, 'ownerId'>,
): Promise<boolean> {
  return role === 'provider' && ownerId !== null && (await getRole(database, ownerId)) === 'provider';
}
