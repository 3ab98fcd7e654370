import type { suitabilityEndpoints } from '#contract/suitability.ts';
import { findRiskProfile } from '#records/suitability/risk-profiles.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showRiskProfile } from '../answers/show-risk-profile.ts';

export const getRiskProfile: Call<typeof suitabilityEndpoints.getRiskProfile> = async (
  { caller },
  { records },
) => {
  const profile = await findRiskProfile(records.database, caller.userId);
  return profile ? showRiskProfile(profile) : notFound();
};
