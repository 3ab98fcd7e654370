import { randomUUID } from 'node:crypto';
import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import {
  addVersion,
  countDrafts,
  createDraft,
  lockDraft,
} from '#records/strategy-builder/strategy-drafts.ts';
import { tooManyDrafts } from '#rules/strategies/draft-limits.ts';
import type { StrategyId } from '#units/identifiers.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse, type Refused } from '../../http/refusal.ts';

/** A draft with the rules of the published version, which its writer changes and tests. */
export const writeNextVersion: Call<typeof operationsEndpoints.writeNextVersion> = async (
  { params, request },
  dependencies,
) => {
  const staff = staffOf(request);
  const id = randomUUID() as string as StrategyId;
  const refused = await transactAs(staff, dependencies, async (trx): Promise<Refused | null> => {
    await lockPerson(trx, staff.id);
    const published = await lockDraft(trx, params.id);
    if (published === undefined || published.ownerId !== null) return notFound();
    if (published.status !== 'published')
      return refuse('illegal_move', 'Only a published strategy has a next version.');
    const tooMany = tooManyDrafts(await countDrafts(trx, staff.id));
    if (tooMany !== null) return refuse('draft_limit', tooMany);
    const { definition, definitionHash: hash, committedAt: at } = published;
    await createDraft(trx, { ...published, id, ownerId: staff.id, replaces: published.id });
    await addVersion(trx, id, {
      id: randomUUID(),
      definition: definition as StrategyDefinition,
      hash,
      at,
    });
    return null;
  });
  return refused ?? { id };
};
