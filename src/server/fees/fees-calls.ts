import type { feesEndpoints } from '#contract/fees.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { getFeeBill } from './get-fee-bill.ts';
import { listFeeBills } from './list-fee-bills.ts';

export const feesCalls: RoomCalls<typeof feesEndpoints> = { listFeeBills, getFeeBill };
