import type { CashProposal as Shown } from '#contract/operations/cash.ts';
import type { CashProposal } from '#records/cash/cash-proposals.ts';
import { fromMicro } from '#units/money.ts';
import type { Staff } from '../../http/call.ts';

export function showCashProposal(proposal: CashProposal, { id: asker }: Staff): Shown {
  return {
    id: proposal.id,
    amount: fromMicro(proposal.amount),
    cause: proposal.cause,
    reason: proposal.because,
    proposed_by: proposal.proposer,
    is_own: proposal.proposedBy === asker,
    proposed_at: proposal.proposedAt.toISOString(),
    status: proposal.status,
    decided_at: proposal.decidedAt?.toISOString() ?? null,
    outcome: proposal.outcome,
  };
}
