import { positionSubject, type UnprotectedPosition } from '../execution/stops/unprotected-position.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { NewIncident } from './incident-changes.ts';

/** Two people's agreement that a position may stay without its stop until then. */
export type Acknowledgement = {
  readonly id: string;
  readonly subject: string;
  readonly seen: string;
  readonly until: WallInstant;
};

/** Those that have ended: past their date, of another position or reason than now, or of a position that has its stop. */
export function endedAcknowledgements(
  positions: readonly UnprotectedPosition[],
  agreed: readonly Acknowledgement[],
  now: WallInstant,
): readonly Acknowledgement[] {
  return agreed.filter(
    (one) => msBetween(now, one.until) <= 0 || !positions.some((position) => covers(one, position)),
  );
}

function covers({ subject, seen }: Acknowledgement, position: UnprotectedPosition): boolean {
  return subject === positionSubject(position) && seen === position.seen;
}

/** One for each position, however often its stop is refused, but for those that two people have acknowledged as they are. */
export function unprotectedIncidents(
  positions: readonly UnprotectedPosition[],
  acknowledged: readonly Acknowledgement[],
): readonly NewIncident[] {
  const open = positions.filter((one) => !acknowledged.some((agreed) => covers(agreed, one)));
  return open.map(({ deploymentId, symbol, reason, refusals }) => ({
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
