import type { feesEndpoints } from '#contract/fees.ts';
import { findOwnFeeBill } from '#records/fees/own-fee-bills.ts';
import { getUser } from '#records/identity/users.ts';
import { feeStatementText } from '#rules/fees/fee-statement-text.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { describeFile } from '../answers/describe-file.ts';

export const downloadFeeStatement: Call<typeof feesEndpoints.downloadFeeStatement> = async (
  { params, caller, reply },
  { records, print, config },
) => {
  const bill = await findOwnFeeBill(records.database, { id: params.id, userId: caller.userId });
  if (bill === undefined) return notFound();
  const { firstName, lastName, email } = await getUser(records.database, caller.userId);
  const client = `${`${firstName} ${lastName}`.trim()}, ${email}`;
  const { title, lead, lines, explanation } = feeStatementText(bill, { client, terms: config.provider });
  describeFile(reply, `performance-fee-${bill.number}.pdf`);
  return print({
    title,
    lead,
    language: 'en',
    madeAt: bill.billedAt,
    parts: [
      ...lines.map((line) => ({ kind: 'figure' as const, ...line })),
      { kind: 'heading', text: explanation.heading },
      ...explanation.paragraphs.map((text) => ({ kind: 'text' as const, text })),
    ],
  });
};
