import type { suitabilityEndpoints } from '#contract/suitability.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { changeRiskProfile } from './change-risk-profile.ts';
import { createRiskProfile } from './create-risk-profile.ts';
import { getRiskProfile } from './get-risk-profile.ts';
import { removeRiskProfile } from './remove-risk-profile.ts';

export const suitabilityCalls: RoomCalls<typeof suitabilityEndpoints> = {
  getRiskProfile,
  createRiskProfile,
  changeRiskProfile,
  removeRiskProfile,
};
