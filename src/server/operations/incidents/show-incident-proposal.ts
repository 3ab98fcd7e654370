import type { IncidentProposal as Shown } from '#contract/operations/incident-proposals.ts';
import type { IncidentProposal } from '#records/incidents/incident-proposals.ts';
import { fromMicro } from '#units/money.ts';
import type { Staff } from '../../http/call.ts';

export function showIncidentProposal(proposal: IncidentProposal, { id: asker }: Staff): Shown {
  return {
    id: proposal.id,
    action: proposal.action,
    account: proposal.accountId,
    subject: proposal.subject,
    commission: proposal.amount === null ? null : fromMicro(proposal.amount),
    until: proposal.until?.toISOString() ?? null,
    reason: proposal.because,
    proposed_by: proposal.proposer,
    is_own: proposal.proposedBy === asker,
    proposed_at: proposal.proposedAt.toISOString(),
    status: proposal.status,
    decided_at: proposal.decidedAt?.toISOString() ?? null,
    outcome: proposal.outcome,
  };
}
