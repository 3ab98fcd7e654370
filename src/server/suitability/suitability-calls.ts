import type { suitabilityEndpoints } from '#contract/suitability.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { attestQualifiedClient } from './attest-qualified-client.ts';
import { changeRiskProfile } from './change-risk-profile.ts';
import { createRiskProfile } from './create-risk-profile.ts';
import { getEligibility } from './get-eligibility.ts';
import { getRiskProfile } from './get-risk-profile.ts';
import { listAdvice } from './list-advice.ts';
import { removeRiskProfile } from './remove-risk-profile.ts';
import { withdrawAttestation } from './withdraw-attestation.ts';

export const suitabilityCalls: RoomCalls<typeof suitabilityEndpoints> = {
  getRiskProfile,
  createRiskProfile,
  changeRiskProfile,
  removeRiskProfile,
  listAdvice,
  getEligibility,
  attestQualifiedClient,
  withdrawAttestation,
};
