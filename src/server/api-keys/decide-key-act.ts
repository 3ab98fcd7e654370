import type { KeyActView } from '#contract/api-keys.ts';
import { decideAct, findAct, type KeyActRecord } from '#records/api-keys/key-acts.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { notFound, refuse, type Refused } from '../http/refusal.ts';
import { showKeyAct } from './show-api-key.ts';

type Decision = {
  readonly id: string;
  readonly userId: UserId;
  readonly verdict: 'running' | 'declined';
};

/** Of two taps at once one decides; the other is told that it came too late. */
export async function decide(
  { id, userId, verdict }: Decision,
  { records, now }: Dependencies,
): Promise<KeyActRecord | Refused> {
  const own = { id, userId, at: now() };
  const outcome = await records.database.transaction().execute((trx) => decideAct(trx, own, verdict));
  if (outcome === 'absent') return notFound();
  if (outcome === 'too late')
    return refuse('already_decided', 'This was decided already, or nobody decided in time.');
  const act = await findAct(records.database, own);
  return act ?? notFound();
}

export async function showOwnAct(
  { id, userId }: Pick<Decision, 'id' | 'userId'>,
  { records, now }: Dependencies,
): Promise<KeyActView | Refused> {
  const act = await findAct(records.database, { id, userId, at: now() });
  return act === undefined ? notFound() : showKeyAct(act);
}
