import type { agreementsEndpoints } from '#contract/agreements.ts';
import { hasSignedAgreement } from '#records/agreements/agreements.ts';
import { findUser } from '#records/identity/users.ts';
import { agreementTitle } from '#rules/agreements/agreement-title.ts';
import { agreementFor } from '#rules/agreements/investment-agreement.ts';
import { checkEligibility } from '#rules/eligibility/check-eligibility.ts';
import { COUNTRY_NAMES, isEligibleCountry } from '#rules/eligibility/countries.ts';
import { AGREEMENT_VERSION, provider } from '#rules/provider.ts';
import { isoText, utcDate } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse } from '../http/refusal.ts';
import { visitorOf } from './visitor.ts';

export const getAgreementUrl: Call<typeof agreementsEndpoints.getAgreementUrl> = async (
  input,
  dependencies,
) => {
  const { records, signing, config, now } = dependencies;
  const { userId } = input.caller;
  const user = await findUser(records.database, userId);
  if (user === undefined) return notFound();
  const [problem] = config.installation === 'own' ? [] : checkEligibility(user, utcDate(now()));
  if (problem !== undefined) return refuse('not_eligible', problem.message, { field: problem.field });
  if (await hasSignedAgreement(records.database, { userId, version: AGREEMENT_VERSION })) {
    return refuse(
      'already_exists',
      `You have already signed the current ${agreementTitle(config.installation).toLowerCase()}.`,
    );
  }
  const name = `${user.firstName} ${user.lastName}`.trim();
  const { country, email } = user;
  const countryName = country !== null && isEligibleCountry(country) ? COUNTRY_NAMES[country] : '';
  const session = await signing.createSigningSession({
    agreement: agreementFor(
      { name, email, countryName },
      { installation: config.installation, provider: provider(config.provider) },
    ),
    signer: { userId, name, email },
    visitor: visitorOf(input.request),
    returnUrl: `${config.publicUrl}/marketplace`,
  });
  return {
    signing_url: session.signingUrl,
    envelope_id: session.envelopeId,
    expires_at: isoText(session.expiresAt),
  };
};
