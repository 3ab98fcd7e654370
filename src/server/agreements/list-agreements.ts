import type { agreementsEndpoints } from '#contract/agreements.ts';
import { listSignedAgreements } from '#records/agreements/agreements.ts';
import type { Call } from '../http/call.ts';

export const listAgreements: Call<typeof agreementsEndpoints.listAgreements> = async (
  { caller },
  { records },
) => {
  const agreements = await listSignedAgreements(records.database, caller.userId);
  return agreements.map((agreement) => ({
    id: agreement.id,
    version: agreement.version,
    signed_name: agreement.signedName,
    signed_at: agreement.signedAt.toISOString(),
    sealed_hash: agreement.sealedHash,
    document_url: `/api/agreements/${agreement.id}/document/`,
  }));
};
