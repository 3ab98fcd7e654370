import type { Deployment } from '#contract/deployments.ts';
import { Badge } from '../kit/state/badge.tsx';

/** Whose money it is, wherever it could be taken for the person's own. */
export function ModeBadge({ mode }: Pick<Deployment, 'mode'>) {
  if (mode === 'real') return null;
  return mode === 'practice' ? <Badge tone="practice">Practice</Badge> : <Badge>Paper money</Badge>;
}
