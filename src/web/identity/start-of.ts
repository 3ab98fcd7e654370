import type { User } from '#contract/identity.ts';

/** Where a sign-in leads that was on its way nowhere else. */
export function startOf({ role }: Pick<User, 'role'>): string {
  if (role === 'admin') return '/staff';
  if (role === 'auditor') return '/audit-log';
  return role === 'support' ? '/operations' : '/dashboard';
}
