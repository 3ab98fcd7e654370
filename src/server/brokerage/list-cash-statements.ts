import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { CASH_LINES } from '#engine/cash/cash-statement.ts';
import { findOwnConnection } from '#records/brokerage/broker-connections.ts';
import { findOpening } from '#records/cash/account-openings.ts';
import { type DatedStatement, listStatements } from '#records/cash/cash-statements.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';

const SHOWN_MAX = 30;

export const listCashStatements: Call<typeof brokerageEndpoints.listCashStatements> = async (
  { params, caller },
  { records: { database } },
) => {
  const connection = await findOwnConnection(database, { id: params.id, userId: caller.userId });
  if (connection === undefined) return notFound();
  const { accountId } = connection;
  const opening = accountId === null ? null : await findOpening(database, accountId);
  if (accountId === null || opening === null) return [];
  const statements = await listStatements(database, accountId, SHOWN_MAX);
  return statements.map((one) => showStatement(one, opening.currency));
};

function showStatement(statement: DatedStatement, currency: string) {
  const { date, opening, lines, unexplained, closing, takenAt, isFinal } = statement;
  return {
    date,
    currency,
    opening: fromMicro(opening),
    lines: CASH_LINES.filter((line) => lines[line] !== 0).map((line) => ({
      line,
      amount: fromMicro(lines[line]),
    })),
    unexplained: fromMicro(unexplained),
    closing: fromMicro(closing),
    taken_at: isoText(takenAt),
    is_final: isFinal,
  };
}
