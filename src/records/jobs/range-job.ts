import type { DeploymentId, StrategyVersionId } from '#units/identifiers.ts';

/** Ahead of renewals: its owner is looking at the new deployment. */
export function rangeJob(deploymentId: DeploymentId, versionId: StrategyVersionId) {
  const data = { versionId, work: 'range', deploymentId } as const;
  return { data, key: `range ${deploymentId}`, priority: 1 };
}
