import type { suitabilityEndpoints } from '#contract/suitability.ts';
import { findRiskProfile, removeRiskProfile as remove } from '#records/risk-profiles.ts';
import type { Call } from '../call.ts';
import { notFound } from '../refusal.ts';

export const removeRiskProfile: Call<typeof suitabilityEndpoints.removeRiskProfile> = async (
  { params, caller },
  { records },
) => {
  const own = await findRiskProfile(records.database, caller.userId);
  if (own === undefined || own.id !== params.id) return notFound();
  await remove(records.database, own.id);
};
