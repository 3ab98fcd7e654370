import type { suitabilityEndpoints } from '#contract/suitability.ts';
import { findRiskProfile } from '#records/suitability/risk-profiles.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { assessCaller } from './assess-caller.ts';

export const changeRiskProfile: Call<typeof suitabilityEndpoints.changeRiskProfile> = async (
  { params, body, caller },
  dependencies,
) => {
  const own = await findRiskProfile(dependencies.records.database, caller.userId);
  if (own?.id !== params.id) return notFound();
  return assessCaller({ userId: caller.userId, responses: body.questionnaire_responses }, dependencies);
};
