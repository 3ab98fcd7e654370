import type { backtestsEndpoints } from '#contract/strategies/backtests.ts';
import { findAcceptance, findAttackVerdict } from '#records/results/attacks.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { showAttack } from '../../answers/show-attack.ts';
import { findOwnStrategy } from '../drafts/find-own-strategy.ts';

export const getAttack: Call<typeof backtestsEndpoints.getAttack> = async (
  { params, caller },
  { records: { database } },
) => {
  const { userId } = caller;
  const strategy = await findOwnStrategy(database, params.id, caller);
  if (!strategy) return notFound();
  const attack = await findAttackVerdict(database, { versionId: strategy.versionId });
  if (attack === undefined) return { attack: null };
  return { attack: showAttack(attack, await findAcceptance(database, { attackId: attack.id, userId })) };
};
