import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { IncidentRule, IncidentSeverity } from './incident-kind.ts';

/** An incident that lasts longer than its kind allows is `act_now`. */
export function severityAt(
  { severity, escalatesAfterMs }: IncidentRule,
  since: WallInstant,
  now: WallInstant,
): IncidentSeverity {
  return escalatesAfterMs !== undefined && msBetween(since, now) >= escalatesAfterMs ? 'act_now' : severity;
}
