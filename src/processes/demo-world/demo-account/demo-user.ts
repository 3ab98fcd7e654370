import { markVerified } from '#records/identity/email-verification.ts';
import { createUser } from '#records/identity/users.ts';
import type { Database } from '#records/postgres/database.ts';
import { hashPassword } from '#server/identity/password/password-hash.ts';
import { instant } from '#units/instant.ts';

export const DEMO_EMAIL = 'demo@bellwether.example';
export const DEMO_PASSWORD = 'demo-investor';

/** Made directly: a registration refuses a password that everyone knows. Nothing happens when the account is there. */
export async function makeDemoUser(database: Database): Promise<void> {
  const id = await createUser(database, {
    email: DEMO_EMAIL,
    passwordHash: await hashPassword(DEMO_PASSWORD),
    firstName: 'Demo',
    lastName: '',
  });
  if (id !== null) await markVerified(database, id, instant(Date.now()));
}
