import type { CashDifference } from '#contract/operations/cash.ts';
import { listCashBreaks, listOpenCashProposals } from '#records/cash/cash-proposals.ts';
import type { Database } from '#records/postgres/database.ts';
import { fromMicro } from '#units/money.ts';
import type { Staff } from '../../http/call.ts';
import { showCashProposal } from './show-cash-proposal.ts';

/** An open proposal about another amount than the present one is not shown: approving it would be refused. */
export async function listCashDifferences(
  database: Database,
  support: Staff,
  max: number,
): Promise<CashDifference[]> {
  const breaks = await listCashBreaks(database, max);
  const proposals = await listOpenCashProposals(
    database,
    breaks.map(({ id }) => id),
  );
  return breaks.map(({ id, accountId, brokerName, clients, currency, unexplained, date, since }) => {
    const proposal = proposals.find((one) => one.breakId === id && one.amount === unexplained);
    return {
      id,
      account: accountId,
      broker_name: brokerName,
      clients: [...clients],
      currency,
      amount: fromMicro(unexplained),
      date,
      since: since.toISOString(),
      proposal: proposal === undefined ? null : showCashProposal(proposal, support),
    };
  });
}
