import { z } from 'zod';
import { STAFF_ROLES } from '#rules/identity/staff-role.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { email, newPassword, personName } from './identity.ts';

const staffAccount = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(STAFF_ROLES),
    has_second_factor: z.boolean(),
    is_disabled: z.boolean(),
    /** Whether it is the caller's own: another admin changes that one. */
    is_own: z.boolean(),
    /** Real time; null when it never signed in. */
    last_used_at: z.string().nullable(),
  })
  .meta({ id: 'StaffAccount' });

export type StaffAccount = z.infer<typeof staffAccount>;

const invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(STAFF_ROLES),
    /** Null: by the command line. */
    invited_by: z.string().nullable(),
    invited_at: z.string(),
    /** Null until the link is mailed. */
    expires_at: z.string().nullable(),
    is_expired: z.boolean(),
  })
  .meta({ id: 'Invitation' });

export type Invitation = z.infer<typeof invitation>;

const FOR_ADMINS = 'For admins; anyone else gets 404.';

export const staffEndpoints = {
  listStaff: endpoint(ROUTES.listStaff, {
    room: 'staff',
    summary: 'Who is staff, and who is invited',
    description: `Disabled accounts too. ${FOR_ADMINS}`,
    security: 'bearer',
    status: 200,
    answer: z
      .object({ staff: z.array(staffAccount), invitations: z.array(invitation) })
      .meta({ id: 'EveryStaffAccount' }),
    refusals: ['not_found'],
  }),
  inviteStaff: endpoint(ROUTES.inviteStaff, {
    confirms: 'always',
    room: 'staff',
    summary: 'Invite somebody to become staff',
    description: `Mails a link that works once within a day: whoever follows it chooses a password and then sets up a second factor. An open invitation to the same address is replaced. Nobody who has an account becomes staff with it. ${FOR_ADMINS}`,
    security: 'bearer',
    body: z
      .object({ email, role: z.enum(STAFF_ROLES, 'Choose a role: support, provider, auditor or admin') })
      .meta({ id: 'InviteStaffRequest' }),
    status: 201,
    answer: invitation,
    refusals: ['not_found', 'email_taken'],
    idempotent: true,
  }),
  withdrawInvitation: endpoint(ROUTES.withdrawInvitation, {
    room: 'staff',
    summary: 'Withdraw an invitation',
    description: `Its link stops working. ${FOR_ADMINS}`,
    security: 'bearer',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found'],
  }),
  acceptInvitation: endpoint(ROUTES.acceptInvitation, {
    room: 'staff',
    summary: 'Become staff with a mailed link',
    description: 'Makes the account with the chosen password; it can sign in at once.',
    security: 'open',
    body: z
      .object({
        token: z.string('The link is incomplete').min(1, 'The link is incomplete').max(200),
        first_name: personName.min(1, 'Name is required'),
        last_name: personName.optional(),
        password: newPassword,
        confirm_password: z.string('Confirm the password').max(1024),
      })
      .meta({ id: 'AcceptInvitationRequest' }),
    status: 201,
    answer: z.object({ email: z.string() }).meta({ id: 'AcceptedInvitation' }),
    refusals: ['invalid_token', 'passwords_differ', 'weak_password', 'email_taken'],
  }),
  takeStaffRole: endpoint(ROUTES.takeStaffRole, {
    confirms: 'always',
    room: 'staff',
    summary: 'Take a role away',
    description: `The account stays, as a client's, and is signed out everywhere. Nobody takes their own. ${FOR_ADMINS}`,
    security: 'bearer',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found', 'forbidden'],
  }),
  disableAccount: endpoint(ROUTES.disableAccount, {
    confirms: 'always',
    room: 'staff',
    summary: 'Disable an account of staff',
    description: `Nobody signs in with it until it is enabled, and every session ends within a second. Nobody disables their own. ${FOR_ADMINS}`,
    security: 'bearer',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found', 'forbidden'],
  }),
  enableAccount: endpoint(ROUTES.enableAccount, {
    confirms: 'always',
    room: 'staff',
    summary: 'Enable a disabled account of staff',
    description: `It signs in as before. ${FOR_ADMINS}`,
    security: 'bearer',
    params: idParams,
    status: 204,
    answer: z.void(),
    refusals: ['not_found', 'forbidden'],
  }),
} as const;
