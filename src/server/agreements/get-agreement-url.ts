import type { agreementsEndpoints } from '#contract/agreements.ts';
import { hasSignedAgreement } from '#records/agreements/agreements.ts';
import { findConfirmation } from '#records/identity/sessions.ts';
import { findUser } from '#records/identity/users.ts';
import { agreementTitle } from '#rules/agreements/agreement-title.ts';
import { agreementFor } from '#rules/agreements/investment-agreement.ts';
import { checkEligibility } from '#rules/eligibility/check-eligibility.ts';
import { COUNTRY_NAMES, isEligibleCountry } from '#rules/eligibility/countries.ts';
import { AGREEMENT_VERSION, provider } from '#rules/provider.ts';
import { instant, isoText, SECOND_MS, utcDate } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse } from '../http/refusal.ts';
import { refuseUnchecked } from '../http/check-identity.ts';
import { recordEligibility } from '../answers/record-eligibility.ts';
import { bindSigner } from './bind-signer.ts';
import { answered } from './answered.ts';
import { visitorOf } from './visitor.ts';

export const getAgreementUrl: Call<typeof agreementsEndpoints.getAgreementUrl> = async (
  input,
  dependencies,
) => {
  const { records, signing, config, now } = dependencies;
  const { userId, sessionId } = input.caller;
  const user = await findUser(records.database, userId);
  if (user === undefined) return notFound();
  const today = utcDate(now());
  const facts = config.installation === 'own' ? null : user;
  const [problem] = facts === null ? [] : checkEligibility(facts, today);
  await recordEligibility(records.database, { userId, facts, today }, 'agreement');
  if (problem !== undefined) return refuse('not_eligible', problem.message, { field: problem.field });
  if (await hasSignedAgreement(records.database, { userId, version: AGREEMENT_VERSION })) {
    return refuse(
      'already_exists',
      `You have already signed the current ${agreementTitle(config.installation).toLowerCase()}.`,
    );
  }
  const unchecked = await refuseUnchecked(user, dependencies);
  if (unchecked !== null) return unchecked;
  const confirmation = await findConfirmation(records.pool, sessionId);
  if (confirmation === null) return notFound();
  const name = `${user.firstName} ${user.lastName}`.trim();
  const { country, email } = user;
  const countryName = country !== null && isEligibleCountry(country) ? COUNTRY_NAMES[country] : '';
  const session = await answered(input.request, () =>
    signing.createSigningSession({
      agreement: agreementFor(
        { name, email, countryName },
        { installation: config.installation, provider: provider(config.provider) },
      ),
      signer: { userId, name, email },
      session: {
        id: sessionId,
        confirmedAt: instant(confirmation.confirmedAt.getTime()),
        hasSecondFactor: confirmation.hasSecondFactor,
      },
      visitor: visitorOf(input.request),
      returnUrl: `${config.publicUrl}/marketplace`,
    }),
  );
  if ('refused' in session) return session.refused;
  const seconds = Math.ceil((session.expiresAt - now()) / SECOND_MS);
  bindSigner(input.reply, { envelopeId: session.envelopeId, sessionId, seconds }, dependencies);
  return {
    signing_url: session.signingUrl,
    envelope_id: session.envelopeId,
    expires_at: isoText(session.expiresAt),
  };
};
