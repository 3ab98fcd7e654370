import { insertInvitation } from '#records/identity/staff-accounts.ts';
import { enqueueInvitation } from '#records/notifications/mails.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { StaffRole } from '#rules/identity/staff-role.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';

type Wanted = {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly role: StaffRole;
  /** Null: the command line, where there is no admin yet. */
  readonly by: UserId | null;
  readonly at: Instant;
};

/** With the mail that carries the link. */
export async function invite(trx: Transaction, wanted: Wanted): Promise<'invited' | 'has account'> {
  const outcome = await insertInvitation(trx, wanted);
  if (outcome === 'invited')
    await enqueueInvitation(trx, { invitationId: wanted.id, to: wanted.email, at: wanted.at });
  return outcome;
}
