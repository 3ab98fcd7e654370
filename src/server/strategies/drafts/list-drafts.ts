import type { strategyDraftEndpoints } from '#contract/strategies/strategy-drafts.ts';
import { listDrafts as list } from '#records/strategy-builder/strategy-drafts.ts';
import type { Call } from '../../http/call.ts';
import { showDraft } from './show-draft.ts';

export const listDrafts: Call<typeof strategyDraftEndpoints.listStrategyDrafts> = async (
  { caller },
  { records },
) => (await list(records.database, caller.userId)).map(showDraft);
