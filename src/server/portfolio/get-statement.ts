import type { portfolioEndpoints } from '#contract/portfolio.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { makeStatement } from './make-statement.ts';
import { showStatement } from './show-statement.ts';

export const getStatement: Call<typeof portfolioEndpoints.getStatement> = async (
  { query, caller },
  { records },
) => {
  const made = await makeStatement(records.database, caller.userId, query);
  return made === null ? notFound() : showStatement(made);
};
