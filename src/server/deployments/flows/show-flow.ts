import type { DeploymentFlow } from '#contract/deployment-flows.ts';
import type { FlowRow } from '#records/deployments/deployment-flows.ts';
import { flowReason } from '#rules/reasons/flow-reason.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';

export function showFlow(row: FlowRow): DeploymentFlow {
  const { id, kind, status, requested, moved, reason, requestedAt, endedAt } = row;
  return {
    id,
    kind,
    status,
    amount: fromMicro(requested),
    moved: moved === null ? null : fromMicro(moved),
    reason: reason === null ? null : flowReason(reason),
    requested_at: isoText(requestedAt),
    ended_at: endedAt && isoText(endedAt),
  };
}
