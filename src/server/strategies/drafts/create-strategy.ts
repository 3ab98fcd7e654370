import { randomUUID } from 'node:crypto';
import type { strategyDraftEndpoints } from '#contract/strategies/strategy-drafts.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import {
  addVersion,
  countDrafts,
  createDraft,
  findDraft,
} from '#records/strategy-builder/strategy-drafts.ts';
import { saveThumbnail } from '#records/strategies/strategy-thumbnails.ts';
import { tooManyDrafts } from '#rules/strategies/draft-limits.ts';
import type { StrategyId } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import type { Call } from '../../http/call.ts';
import { isRefused, refuse } from '../../http/refusal.ts';
import { readDefinition } from './read-definition.ts';
import { readThumbnail } from './read-thumbnail.ts';
import { showDraft } from './show-draft.ts';

/** A draft belongs to its author; only the provider's staff can publish. */
export const createStrategy: Call<typeof strategyDraftEndpoints.createStrategy> = async (
  { body, caller },
  { records, marketData },
) => {
  const read = await readDefinition(records.database, body.definition, marketData.intraday);
  if (isRefused(read)) return read;
  const thumbnail = await readThumbnail(body.thumbnail, caller.userId);
  if (isRefused(thumbnail)) return thumbnail;
  const clock = await marketData.clock();
  if (!clock.ok)
    return refuse('unavailable', 'The market clock is not responding. Please try again shortly.');
  const id = randomUUID() as string as StrategyId;
  const tooMany = await records.database.transaction().execute(async (trx) => {
    // Of two at once the later one counts the earlier one.
    await lockPerson(trx, caller.userId);
    const said = tooManyDrafts(await countDrafts(trx, caller.userId));
    if (said !== null) return said;
    await createDraft(trx, {
      id,
      ownerId: caller.userId,
      kind: read.kind,
      name: body.name,
      shortDescription: body.shortDescription,
      description: body.description,
      strategyType: body.strategy_type,
      market: body.market,
      minInvestment: toMicro(body.min_investment),
    });
    const { definition, hash } = read;
    await addVersion(trx, id, { id: randomUUID(), definition, hash, at: clock.value.now });
    if (thumbnail) await saveThumbnail(trx, id, thumbnail);
    return null;
  });
  if (tooMany !== null) return refuse('draft_limit', tooMany);
  const made = await findDraft(records.database, id);
  if (!made) throw new Error('a strategy that was just written is not there');
  return showDraft(made);
};
