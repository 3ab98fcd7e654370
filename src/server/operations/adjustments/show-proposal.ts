import type { AdjustmentProposal } from '#contract/operations/adjustments.ts';
import { voidReasonText } from '#rules/reasons/void-reason.ts';
import type { ShownProposal } from '#records/adjustments/adjustment-cases.ts';
import { fromMicro } from '#units/money.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { Staff } from '../../http/call.ts';

/** An open proposal whose difference has changed is shown as void before anyone acts on it. */
export function showProposal(proposal: ShownProposal, { id: asker }: Staff): AdjustmentProposal {
  const { status, undoes, undoneUnits, undonePrice, deploymentId } = proposal;
  const isOutdated = (status === 'open' || status === 'approved') && !proposal.isCurrent;
  return {
    id: proposal.id,
    closes_as: deploymentId === null ? 'external' : 'adjustment',
    deployment: deploymentId,
    client: proposal.client,
    strategy_name: proposal.strategyName,
    symbol: proposal.symbol,
    replaces: undoes && {
      id: undoes,
      quantity: fromQuantity(undoneUnits!),
      price: undonePrice!,
    },
    quantity: fromQuantity(proposal.units),
    price: proposal.price,
    currency: proposal.currency,
    commission: fromMicro(proposal.commission),
    reason: proposal.because,
    proposed_by: proposal.proposer,
    is_own: proposal.proposedBy === asker,
    proposed_at: proposal.proposedAt.toISOString(),
    status: isOutdated ? 'void' : status,
    decided_by: proposal.decider,
    decided_at: proposal.decidedAt?.toISOString() ?? null,
    outcome: isOutdated ? voidReasonText({ code: 'changed' }) : proposal.outcome,
  };
}
