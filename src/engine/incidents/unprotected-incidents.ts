import type { UnprotectedPosition } from '../execution/stops/unprotected-position.ts';
import type { NewIncident } from './incident-changes.ts';

/** One for each position, however often its stop is refused. */
export function unprotectedIncidents(positions: readonly UnprotectedPosition[]): readonly NewIncident[] {
  return positions.map(({ deploymentId, symbol, reason, refusals }) => ({
    kind: 'position_unprotected',
    subject: deploymentId,
    symbol,
    deploymentId,
    facts: {
      reason: reason.code,
      said: saidOf(reason),
      refusals,
    },
  }));
}

function saidOf(reason: UnprotectedPosition['reason']): string {
  if (reason.code === 'not_confirmed') return reason.question;
  return reason.code === 'rejected' || reason.code === 'not_sent' ? reason.said : '';
}
