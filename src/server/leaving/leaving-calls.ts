import type { leavingEndpoints } from '#contract/leaving.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { closeAccount } from './close-account.ts';
import { downloadExport } from './download-export.ts';
import { getLeaving } from './get-leaving.ts';

export const leavingCalls: RoomCalls<typeof leavingEndpoints> = {
  getLeaving,
  closeAccount,
  downloadExport,
};
