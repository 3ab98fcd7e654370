import type { strategyDraftEndpoints } from '#contract/strategies/strategy-drafts.ts';
import { isDeployed, lockDraft, removeDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { getRole } from '#records/identity/users.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { mayWrite } from './may-write.ts';

/** Only drafts can be removed: published strategies are retired and stay in the statistics. */
export const removeStrategy: Call<typeof strategyDraftEndpoints.removeStrategy> = async (
  { params, caller },
  { records },
) => {
  const writer = { userId: caller.userId, role: await getRole(records.database, caller.userId) };
  // Who deployed it may be somebody else.
  return asEverybody(() =>
    records.database.transaction().execute(async (trx) => {
      const draft = await lockDraft(trx, params.id);
      if (!draft || !mayWrite(writer, draft)) return notFound();
      if (draft.status !== 'draft' || (await isDeployed(trx, draft.id))) {
        return refuse('in_use', 'This strategy was published or deployed. Retire it instead.');
      }
      await removeDraft(trx, draft.id);
      return undefined;
    }),
  );
};
