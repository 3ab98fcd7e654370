import type { suitabilityEndpoints } from '#contract/suitability.ts';
import type { Call } from '../http/call.ts';
import { showEligibility } from './show-eligibility.ts';

export const getEligibility: Call<typeof suitabilityEndpoints.getEligibility> = ({ caller }, dependencies) =>
  showEligibility(caller.userId, dependencies);
