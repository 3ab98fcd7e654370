// What a service found when it checked who a person is. Append-only; the newest counts.
import type { Kysely } from 'kysely';
import type { IdentityFinding } from '#ports/identity-check.ts';
import type { IdentityStatus } from '#rules/eligibility/identity-text.ts';
import type { UserId } from '#units/identifiers.ts';
import type { Tables } from '../tables.ts';

type Checked = IdentityFinding & {
  readonly userId: UserId;
  readonly provider: string;
  readonly inputs: Readonly<Record<string, string>>;
};

export async function recordIdentityCheck(database: Kysely<Tables>, checked: Checked): Promise<void> {
  await database
    .insertInto('identity_checks')
    .values({
      user_id: checked.userId,
      provider: checked.provider,
      reference: checked.reference,
      status: checked.status,
      documents: checked.documents,
      sanctions: JSON.stringify(checked.sanctions),
      inputs: JSON.stringify(checked.inputs),
    })
    .execute();
}

/** The newest; null where no service ever looked. */
export async function findIdentityCheck(
  database: Kysely<Tables>,
  userId: UserId,
): Promise<{ readonly status: IdentityStatus; readonly inputs: Checked['inputs'] } | null> {
  const row = await database
    .selectFrom('identity_checks')
    .select(['status', 'inputs'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { status: row.status, inputs: row.inputs as Checked['inputs'] };
}
