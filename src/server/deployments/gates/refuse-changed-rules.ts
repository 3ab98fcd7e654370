import type { Transaction } from '#records/postgres/database.ts';
import { lockDraft } from '#records/strategy-builder/strategy-drafts.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

/**
 * Null where the rules of a person's own strategy are the ones that were looked at. Locks them until the transaction ends: from
 * then on a deployment keeps them from changing.
 */
export async function refuseChangedRules(
  trx: Transaction,
  { id, ownerId, versionId }: StrategyRecord,
): Promise<Refused | null> {
  if (ownerId === null) return null;
  const draft = await lockDraft(trx, id);
  return draft?.versionId === versionId
    ? null
    : refuse('strategy_unavailable', CHANGED, { field: 'strategy' });
}

const CHANGED = 'The rules of this strategy have just changed. Look at them once more, then deploy it.';
