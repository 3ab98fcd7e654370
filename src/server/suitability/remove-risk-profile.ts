import type { suitabilityEndpoints } from '#contract/suitability.ts';
import { findRiskProfile, removeRiskProfile as remove } from '#records/suitability/risk-profiles.ts';
import { recordAdvice } from '#records/suitability/advice-records.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';

export const removeRiskProfile: Call<typeof suitabilityEndpoints.removeRiskProfile> = async (
  { params, caller },
  { records },
) => {
  const own = await findRiskProfile(records.database, caller.userId);
  if (own === undefined || own.id !== params.id) return notFound();
  await records.database.transaction().execute(async (trx) => {
    await remove(trx, own.id);
    await recordAdvice(trx, { userId: caller.userId }, 'client_score');
  });
};
