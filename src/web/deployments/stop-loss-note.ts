import type { Deployment } from '#contract/deployments.ts';

/** What stands behind the stop loss of each position. */
export function stopLossNote({ mode, positions }: Pick<Deployment, 'mode' | 'positions'>): string {
  const place = mode === 'practice' ? 'rests' : 'sits at your broker';
  const but = positions.some(({ unprotected }) => unprotected)
    ? ', but none for what is marked Unprotected'
    : '';
  return `Per position, from its average cost. We monitor it; a backup stop ${place} 1% further away${but}`;
}
