import type { staffEndpoints } from '#contract/staff.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { disableAccount, enableAccount, takeStaffRole } from './change-staff.ts';
import { inviteStaff, withdrawInvitation } from './invite-staff.ts';
import { listStaff } from './list-staff.ts';

export const staffCalls: RoomCalls<typeof staffEndpoints> = {
  listStaff,
  inviteStaff,
  withdrawInvitation,
  acceptInvitation,
  takeStaffRole,
  disableAccount,
  enableAccount,
};
