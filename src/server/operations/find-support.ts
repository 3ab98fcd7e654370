import { findUser } from '#records/identity/users.ts';
import { actAs } from '#records/operations/audit-log.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Caller } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';

export type Support = { readonly id: UserId; readonly email: string; readonly actor: string };

/** Null without the support role: the desk is then "not found". Checked on each call, so losing the role acts at once. */
export async function findSupport(
  { userId }: Caller,
  { records }: Pick<Dependencies, 'records'>,
): Promise<Support | null> {
  const user = await findUser(records.database, userId);
  if (user?.role !== 'support') return null;
  return { id: userId, email: user.email, actor: `staff:${user.email}` };
}

/** In one transaction, which the audit log attributes to them. */
export function transactAs<Result>(
  { actor }: Support,
  { records }: Pick<Dependencies, 'records'>,
  run: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  return records.database.transaction().execute(async (trx) => {
    await actAs(trx, actor);
    return run(trx);
  });
}
