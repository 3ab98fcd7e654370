import type { backtestsEndpoints } from '#contract/strategies/backtests.ts';
import { getUser } from '#records/identity/users.ts';
import { acceptVerdict as accept, findAcceptance, findAttackVerdict } from '#records/results/attacks.ts';
import type { Call } from '../../http/call.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { showAttack } from '../../answers/show-attack.ts';
import { findOwnStrategy } from '../drafts/find-own-strategy.ts';

/** Of the verdict that was read: a newer one is read first. Accepting twice is accepting once. */
export const acceptVerdict: Call<typeof backtestsEndpoints.acceptVerdict> = async (
  { params, body, caller },
  { records: { database } },
) => {
  const { userId } = caller;
  const strategy = await findOwnStrategy(database, params.id, caller);
  if (!strategy) return notFound();
  const attack = await findAttackVerdict(database, { versionId: strategy.versionId });
  if (attack === undefined)
    return refuse('illegal_move', 'There is no verdict yet: attack this strategy first.');
  if (attack.verdict !== body.verdict)
    return refuse('illegal_move', 'There is a newer verdict. Read it first.', { field: 'verdict' });
  const { firstName, lastName } = await getUser(database, userId);
  const name = `${firstName} ${lastName}`.trim();
  if (name !== '' && name.toLowerCase() !== body.name.toLowerCase())
    return refuse('out_of_range', `Write your name as it is in your account: ${name}.`, { field: 'name' });
  await accept(database, { attackId: attack.id, userId, verdict: attack.verdict, name: body.name });
  return { attack: showAttack(attack, await findAcceptance(database, { attackId: attack.id, userId })) };
};
