import type { identityEndpoints } from '#contract/identity.ts';
import { createUser } from '#records/identity/users.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { refuseWeakPassword } from './password/check-password.ts';
import { mailVerification } from './verify-email.ts';
import { hashPassword } from './password/password-hash.ts';

export const register: Call<typeof identityEndpoints.register> = async ({ body }, { records, now }) => {
  if (body.password !== body.confirm_password) {
    return refuse('passwords_differ', 'The passwords do not match', { field: 'confirm_password' });
  }
  const email = body.email.toLowerCase();
  const weak = refuseWeakPassword(
    { password: body.password, email, name: `${body.first_name} ${body.last_name ?? ''}`, isStaff: false },
    'password',
  );
  if (weak) return weak;
  const id = await createUser(records.database, {
    email,
    passwordHash: await hashPassword(body.password),
    firstName: body.first_name,
    lastName: body.last_name ?? '',
  });
  if (id === null) {
    const message = 'An account with this e-mail already exists. Please sign in instead.';
    return refuse('email_taken', message, { field: 'email' });
  }
  await mailVerification(records.database, id, now());
  return { id, email, first_name: body.first_name };
};
