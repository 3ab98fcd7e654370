import type { agreementsEndpoints } from '#contract/agreements.ts';
import { hasSignedAgreement, listOpenEnvelopes } from '#records/agreements/agreements.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { answered } from './answered.ts';
import type { Call } from '../http/call.ts';

/** Reads the stored signature, never the query string, which anyone can write. */
export const getAgreementStatus: Call<typeof agreementsEndpoints.getAgreementStatus> = async (
  { caller, request },
  { records, signing },
) => {
  const query = { userId: caller.userId, version: AGREEMENT_VERSION };
  if (await hasSignedAgreement(records.database, query)) return { status: true };
  // A vendor may know of a signature before it notifies us.
  const open = await listOpenEnvelopes(records.database, { ...query, provider: signing.provider });
  for (const envelopeId of open) {
    const said = await answered(request, async () => ({ status: await signing.status(envelopeId) }));
    if ('refused' in said) return said.refused;
    if (said.status === 'signed') return { status: true };
  }
  return { status: false };
};
