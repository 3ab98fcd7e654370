import type { suitabilityEndpoints } from '#contract/suitability.ts';
import type { Call } from '../http/call.ts';
import { assessCaller } from './assess-caller.ts';

export const createRiskProfile: Call<typeof suitabilityEndpoints.createRiskProfile> = (
  { body, caller },
  dependencies,
) => assessCaller({ userId: caller.userId, responses: body.questionnaire_responses }, dependencies);
