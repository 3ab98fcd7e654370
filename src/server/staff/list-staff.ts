import type { Invitation as Shown, staffEndpoints } from '#contract/staff.ts';
import {
  type Invitation,
  listInvitations,
  listStaff as readStaff,
} from '#records/identity/staff-accounts.ts';
import type { Instant } from '#units/instant.ts';
import type { Call } from '../http/call.ts';

export const listStaff: Call<typeof staffEndpoints.listStaff> = async ({ caller }, { records, now }) => {
  const [staff, invitations] = await Promise.all([
    readStaff(records.database),
    listInvitations(records.database),
  ]);
  return {
    staff: staff.map(({ id, email, name, role, hasSecondFactor, disabledAt, lastUsedAt }) => ({
      id,
      email,
      name,
      role,
      has_second_factor: hasSecondFactor,
      is_disabled: disabledAt !== null,
      is_own: id === caller.userId,
      last_used_at: lastUsedAt?.toISOString() ?? null,
    })),
    invitations: invitations.map((one) => showInvitation(one, now())),
  };
};

export function showInvitation(invitation: Invitation, now: Instant): Shown {
  const { id, email, role, invitedBy, invitedAt, expiresAt } = invitation;
  return {
    id,
    email,
    role,
    invited_by: invitedBy,
    invited_at: invitedAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    is_expired: expiresAt !== null && expiresAt.getTime() <= now,
  };
}
