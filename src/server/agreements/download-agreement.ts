import type { agreementsEndpoints } from '#contract/agreements.ts';
import { findSealedDocument } from '#records/agreements/agreements.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { describeFile } from '../answers/describe-file.ts';

export const downloadAgreement: Call<typeof agreementsEndpoints.downloadAgreement> = async (
  { params, caller, reply },
  { records, documents },
) => {
  const query = { agreementId: params.id, userId: caller.userId };
  const document = await findSealedDocument(records.database, documents, query);
  if (document === undefined) return notFound();
  describeFile(reply, `investment-agreement-${params.id.slice(0, 8)}.pdf`);
  return document;
};
