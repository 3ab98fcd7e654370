import type { Proposal as Shown } from '#contract/operations/proposal.ts';
import type { Proposal } from '#records/operations/proposals.ts';
import { fromMicro } from '#units/money.ts';
import type { Staff } from '../../http/call.ts';

export function showProposal(proposal: Proposal, { id: asker }: Pick<Staff, 'id'>): Shown {
  return {
    id: proposal.id,
    action: proposal.action,
    account: proposal.accountId,
    subject: proposal.subject,
    amount: proposal.amount === null ? null : fromMicro(proposal.amount),
    cause: proposal.cause,
    until: proposal.until?.toISOString() ?? null,
    broker_order_id: proposal.brokerOrderId,
    reason: proposal.because,
    proposed_by: proposal.proposer,
    is_own: proposal.proposedBy === asker,
    proposed_at: proposal.proposedAt.toISOString(),
    status: proposal.status,
    decided_at: proposal.decidedAt?.toISOString() ?? null,
    outcome: proposal.outcome,
  };
}
