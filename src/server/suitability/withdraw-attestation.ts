import type { suitabilityEndpoints } from '#contract/suitability.ts';
import { readFeeStandings } from '#records/suitability/eligibility-records.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { keepAttestation } from './keep-attestation.ts';

export const withdrawAttestation: Call<typeof suitabilityEndpoints.withdrawAttestation> = async (
  { caller: { userId }, request },
  dependencies,
) => {
  const standings = await readFeeStandings(dependencies.records.database, [userId]);
  if (standings.get(userId)?.basis === null) return notFound();
  const text = 'I no longer state that I am a qualified client.';
  await keepAttestation({ userId, basis: null, text }, request, dependencies);
};
