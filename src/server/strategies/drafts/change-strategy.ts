import { randomUUID } from 'node:crypto';
import type { strategyDraftEndpoints } from '#contract/strategies/strategy-drafts.ts';
import {
  addVersion,
  changeDraft,
  findDraft,
  lockDraft,
  type StrategyDraft,
} from '#records/strategy-builder/strategy-drafts.ts';
import { saveThumbnail } from '#records/strategies/strategy-thumbnails.ts';
import { getRole } from '#records/identity/users.ts';
import { tooManyVersions } from '#rules/strategies/draft-limits.ts';
import { DEPLOYED_RULES_ARE_FIXED } from '#rules/deployments/own-strategy.ts';
import { toMicro } from '#units/money.ts';
import type { Call } from '../../http/call.ts';
import { isRefused, notFound, refuse, type Refused } from '../../http/refusal.ts';
import { mayWrite } from './may-write.ts';
import { readDefinition } from './read-definition.ts';
import { readThumbnail } from './read-thumbnail.ts';
import { showDraft } from './show-draft.ts';

/** A changed definition creates a new version; deployments keep the version they started with. */
export const changeStrategy: Call<typeof strategyDraftEndpoints.changeStrategy> = async (
  { params, body, caller },
  { records, marketData },
) => {
  const { database } = records;
  const writer = { userId: caller.userId, role: await getRole(database, caller.userId) };
  const found = await findDraft(database, params.id);
  if (!found || !mayWrite(writer, found)) return notFound();
  if (body.status !== undefined && body.status !== found.status) {
    const said =
      'Two of the provider’s staff publish and retire strategies: one proposes it, another approves.';
    return refuse('forbidden', said, { field: 'status' });
  }
  const read =
    body.definition === undefined
      ? null
      : await readDefinition(database, body.definition, marketData.intraday);
  if (isRefused(read)) return read;
  const thumbnail = await readThumbnail(body.thumbnail, caller.userId);
  if (isRefused(thumbnail)) return thumbnail;
  const clock = await marketData.clock();
  if (!clock.ok)
    return refuse('unavailable', 'The market clock is not responding. Please try again shortly.');
  const refused = await database.transaction().execute(async (trx): Promise<Refused | null> => {
    const draft = await lockDraft(trx, params.id);
    if (!draft || !mayWrite(writer, draft)) return notFound();
    const isNew = read !== null && read.hash !== draft.definitionHash;
    if (isNew && draft.status === 'published') return refuse('in_use', IS_PUBLISHED, { field: 'definition' });
    if (isNew && draft.isTraded) return refuse('in_use', DEPLOYED_RULES_ARE_FIXED, { field: 'definition' });
    const tooMany = isNew ? tooManyVersions(draft.versionNumber) : null;
    if (tooMany !== null) return refuse('draft_limit', tooMany, { field: 'definition' });
    await changeDraft(trx, draft.id, { ...merged(draft, body), kind: read?.kind ?? draft.kind });
    if (isNew) {
      const { definition, hash } = read;
      await addVersion(trx, draft.id, { id: randomUUID(), definition, hash, at: clock.value.now });
    }
    if (thumbnail) await saveThumbnail(trx, draft.id, thumbnail);
    return null;
  });
  if (refused) return refused;
  const changed = await findDraft(database, params.id);
  return changed ? showDraft(changed) : notFound();
};

const IS_PUBLISHED =
  'This strategy is published. To change how it trades, two people retire it, and publish it again afterwards.';

type Change = {
  readonly name?: string;
  readonly shortDescription?: string;
  readonly description?: string;
  readonly strategy_type?: string;
  readonly market?: 'us' | 'global';
  readonly min_investment?: number;
};

function merged(draft: StrategyDraft, change: Change) {
  return {
    name: change.name ?? draft.name,
    shortDescription: change.shortDescription ?? draft.shortDescription,
    description: change.description ?? draft.description,
    strategyType: change.strategy_type ?? draft.strategyType,
    market: change.market ?? draft.market,
    minInvestment: change.min_investment === undefined ? draft.minInvestment : toMicro(change.min_investment),
  };
}
