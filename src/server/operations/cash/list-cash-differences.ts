import type { CashDifference } from '#contract/operations/cash.ts';
import { listCashBreaks } from '#records/cash/cash-breaks.ts';
import type { Proposal } from '#records/operations/proposals.ts';
import type { Database } from '#records/postgres/database.ts';
import { fromMicro } from '#units/money.ts';
import type { Staff } from '../../http/call.ts';
import { showProposal } from '../proposals/show-proposal.ts';

/** An open proposal about another amount than the present one is not shown: approving it would be refused. */
export async function listCashDifferences(
  database: Database,
  {
    support,
    proposals,
    max,
    client = null,
  }: {
    readonly support: Staff;
    readonly proposals: readonly Proposal[];
    readonly max: number;
    /** The e-mail of the one whose accounts are asked for; null for all. */
    readonly client?: string | null;
  },
): Promise<CashDifference[]> {
  const breaks = await listCashBreaks(database, max, client);
  return breaks.map(({ id, accountId, brokerName, clients, currency, unexplained, date, since }) => {
    const proposal = proposals.find(
      (one) => one.action === 'explain_cash' && one.subject === id && one.amount === unexplained,
    );
    return {
      id,
      account: accountId,
      broker_name: brokerName,
      clients: [...clients],
      currency,
      amount: fromMicro(unexplained),
      date,
      since: since.toISOString(),
      proposal: proposal === undefined ? null : showProposal(proposal, support),
    };
  });
}
