import type { suitabilityEndpoints } from '#contract/suitability.ts';
import { getUser } from '#records/identity/users.ts';
import { attestationText } from '#rules/eligibility/qualified-client.ts';
import { eligibilityRulesOn } from '#rules/eligibility/rule-book.ts';
import { utcDate } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { keepAttestation } from './keep-attestation.ts';
import { showEligibility } from './show-eligibility.ts';

export const attestQualifiedClient: Call<typeof suitabilityEndpoints.attestQualifiedClient> = async (
  { body: { basis }, caller: { userId }, request },
  dependencies,
) => {
  const today = utcDate(dependencies.now());
  const { country } = await getUser(dependencies.records.database, userId);
  if (country === null || !eligibilityRulesOn(today).qualifiedClient.countries.includes(country))
    return refuse('not_eligible', 'Only residents of the United States need to state this.', {
      field: 'country',
    });
  await keepAttestation({ userId, basis, text: attestationText(basis, today) }, request, dependencies);
  return showEligibility(userId, dependencies);
};
