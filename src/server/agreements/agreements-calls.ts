import type { agreementsEndpoints } from '#contract/agreements.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { downloadAgreement } from './download-agreement.ts';
import { getAgreementStatus } from './get-agreement-status.ts';
import { getAgreementUrl } from './get-agreement-url.ts';
import { listAgreements } from './list-agreements.ts';

export const agreementsCalls: RoomCalls<typeof agreementsEndpoints> = {
  getAgreementUrl,
  getAgreementStatus,
  listAgreements,
  downloadAgreement,
};
