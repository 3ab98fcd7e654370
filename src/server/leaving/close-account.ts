import type { leavingEndpoints } from '#contract/leaving.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import { removeConnection } from '#records/brokerage/broker-connections.ts';
import { getUser } from '#records/identity/users.ts';
import { readBlockers } from '#records/leaving/blockers.ts';
import { eraseAccount } from '#records/leaving/close-account.ts';
import { closingRefusals } from '#rules/leaving/closing-refusal.ts';
import { dataClassesOn, keptUntil } from '#rules/leaving/data-classes.ts';
import { isoText } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';

/** In one transaction: whoever deploys, resumes or buys meanwhile waits for the lock of the person, and finds nobody. */
export const closeAccount: Call<typeof leavingEndpoints.closeAccount> = async (
  { body, caller },
  { records, now },
) => {
  const { userId } = caller;
  const at = now();
  const until = keptUntil(at);
  const refused = await records.database.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    const { email } = await getUser(trx, userId);
    if (body.email !== email)
      return refuse('invalid_field', `Enter the e-mail of your account, ${email}.`, { field: 'email' });
    const standing = closingRefusals(await readBlockers(trx, userId));
    if (standing.length > 0) return refuse('in_use', standing.join(' '));
    const closing = { userId, ruleVersion: dataClassesOn(at).version, at, keptUntil: until };
    for (const connection of await eraseAccount(trx, closing)) await removeConnection(trx, connection);
    return null;
  });
  return refused ?? { closed_at: isoText(at), kept_until: isoText(until) };
};
