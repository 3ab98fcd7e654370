import type { Instant } from '#units/instant.ts';
import type { IncidentRule, IncidentSeverity } from './incident-kind.ts';

/** An incident that lasts longer than its kind allows is `act_now`. Times of the real clock. */
export function severityAt(
  { severity, escalatesAfterMs }: IncidentRule,
  since: Instant,
  now: Instant,
): IncidentSeverity {
  return escalatesAfterMs !== undefined && now - since >= escalatesAfterMs ? 'act_now' : severity;
}
