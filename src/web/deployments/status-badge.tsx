import type { Deployment } from '#contract/deployments.ts';
import { STATUS_LABELS } from '#rules/deployments/status-label.ts';
import { Badge, type BadgeTone } from '../kit/state/badge.tsx';

/** The state that it is in, and the one that was asked for. */
export function StatusBadge({ deployment }: { deployment: Pick<Deployment, 'status' | 'requested_status'> }) {
  const { status, requested_status } = deployment;
  const coming =
    requested_status !== null && requested_status !== status
      ? STATUS_LABELS[requested_status].toLowerCase()
      : null;
  return (
    <Badge tone={TONES[status]}>
      {STATUS_LABELS[status]}
      {coming && <span className="font-normal"> · {coming} next</span>}
    </Badge>
  );
}

const TONES: Readonly<Record<Deployment['status'], BadgeTone>> = {
  pending: 'neutral',
  active: 'accent',
  paused: 'caution',
  frozen: 'caution',
  stopping: 'caution',
  liquidating: 'caution',
  liquidated: 'neutral',
  stopped: 'neutral',
  failed: 'loss',
};
