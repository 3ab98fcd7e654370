import type { StaffRole } from '#rules/identity/staff-role.ts';
import type { TestDatabase } from './test-database.ts';

/** Makes somebody who is signed in staff: the command makes accounts of their own, which would have to sign in first. */
export async function giveRole(
  { pool }: Pick<TestDatabase, 'pool'>,
  { email }: { readonly email: string },
  role: StaffRole,
): Promise<void> {
  await pool.query('update users set role = $2 where email = $1', [email, role]);
}
