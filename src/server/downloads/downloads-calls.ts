import type { downloadsEndpoints } from '#contract/downloads.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { createDownloadLink } from './create-download-link.ts';

export const downloadsCalls: RoomCalls<typeof downloadsEndpoints> = { createDownloadLink };
