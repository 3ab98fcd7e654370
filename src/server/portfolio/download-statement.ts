import type { portfolioEndpoints } from '#contract/portfolio.ts';
import { getUser } from '#records/identity/users.ts';
import { statementParts } from '#rules/portfolio/statement/statement-text.ts';
import { isoText } from '#units/instant.ts';
import { describeFile } from '../answers/describe-file.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { makeStatement } from './make-statement.ts';

export const downloadStatement: Call<typeof portfolioEndpoints.downloadStatement> = async (
  { query, caller, reply },
  { records, print, config },
) => {
  const made = await makeStatement(records.database, caller.userId, query);
  if (made === null) return notFound();
  const { firstName, lastName, email } = await getUser(records.database, caller.userId);
  const { days, asked, newest } = made;
  describeFile(reply, `statement-${days.from}-to-${days.to}.pdf`);
  return print({
    title: 'Statement',
    lead: [
      `${`${firstName} ${lastName}`.trim()}, ${email}`,
      `From ${config.provider.companyName}, ${config.provider.address}`,
      `By the bookings and prices of ${isoText(newest)}. Trading days; amounts in US dollars.`,
    ],
    language: 'en',
    madeAt: newest,
    parts: statementParts(made, days, asked.method),
  });
};
