import type { Deployment } from '#contract/deployments.ts';
import { STATUS_LABELS } from '#rules/deployments/status-label.ts';
import { Badge, type BadgeTone } from '../kit/badge.tsx';

/** The state that is a fact, and the wish on its way to become one. */
export function StatusBadge({ deployment }: { deployment: Pick<Deployment, 'status' | 'wished_status'> }) {
  const { status, wished_status } = deployment;
  const coming =
    wished_status !== null && wished_status !== status ? STATUS_LABELS[wished_status].toLowerCase() : null;
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
