import type { feesEndpoints } from '#contract/fees.ts';
import { findFinalStatement } from '#records/fees/final-statements.ts';
import { getUser } from '#records/identity/users.ts';
import { finalStatementLines, finalSums, UNBILLED } from '#rules/fees/final-statement.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { describeFile } from '../answers/describe-file.ts';

export const getFinalStatement: Call<typeof feesEndpoints.getFinalStatement> = async (
  { params, caller },
  { records },
) => {
  const found = await findFinalStatement(records.database, { id: params.id, userId: caller.userId });
  if (found === undefined) return notFound();
  const { left, kept, owed } = finalSums(found);
  return {
    deployment: params.id,
    strategy_name: found.strategyName,
    began_at: isoText(found.began),
    ended_at: isoText(found.ended),
    paid_in: fromMicro(found.paidIn),
    paid_out: fromMicro(found.paidOut),
    realized: fromMicro(found.realized),
    commission: fromMicro(found.commission),
    executions: found.trades,
    left: fromMicro(left),
    fee: fromMicro(found.fee),
    credited: fromMicro(found.credited),
    paid: fromMicro(found.paid),
    owed: fromMicro(owed),
    kept: fromMicro(kept),
    is_billed: found.isBilled,
  };
};

export const downloadFinalStatement: Call<typeof feesEndpoints.downloadFinalStatement> = async (
  { params, caller, reply },
  { records, print, config, now },
) => {
  const found = await findFinalStatement(records.database, { id: params.id, userId: caller.userId });
  if (found === undefined) return notFound();
  const { firstName, lastName, email } = await getUser(records.database, caller.userId);
  describeFile(reply, 'final-statement.pdf');
  return print({
    title: 'Final statement',
    lead: [
      `${found.strategyName}, deployed by ${`${firstName} ${lastName}`.trim()}, ${email}`,
      `From ${config.provider.companyName}, ${config.provider.address}`,
    ],
    language: 'en',
    madeAt: now(),
    parts: [
      ...finalStatementLines(found).map((line) => ({ kind: 'figure' as const, ...line })),
      ...(found.isBilled ? [] : [{ kind: 'text' as const, text: UNBILLED }]),
    ],
  });
};
