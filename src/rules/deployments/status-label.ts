// What a state is called on the screen, and which filter of the deployed list finds it (specification, sections 2
// and 3: All Status, Active, Paused, Pending; the further states show as themselves).
import type { DeploymentStatus } from '#engine/lifecycle/status.ts';

export const STATUS_LABELS: Readonly<Record<DeploymentStatus, string>> = {
  pending: 'Pending Deployment',
  active: 'Active',
  paused: 'Paused',
  frozen: 'Frozen',
  stopping: 'Stopping',
  liquidating: 'Liquidating',
  liquidated: 'Liquidated',
  stopped: 'Stopped',
  failed: 'Failed',
};

export const STATUS_FILTERS = ['all', 'active', 'paused', 'pending'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export function matchesStatusFilter(status: DeploymentStatus, filter: StatusFilter): boolean {
  return filter === 'all' || status === filter;
}
