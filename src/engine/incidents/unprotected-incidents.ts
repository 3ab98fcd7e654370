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
      said: reason.code === 'rejected' ? reason.said : reason.code === 'not_confirmed' ? reason.question : '',
      refusals,
    },
  }));
}
