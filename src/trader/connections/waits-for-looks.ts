import { previousSession } from '#engine/market/calendar.ts';
import type { Instant } from '#units/instant.ts';
import type { KnownConnection } from './connection.ts';

/**
 * Whether something about the account is open that no stream tells of: what its lists could not say, a difference, a task for staff, or
 * the cash statement of the last session.
 */
export function waitsForLooks(known: KnownConnection, now: Instant): boolean {
  const { health, cash, breaks } = known;
  if (!health.isCompared || health.unsure.size > 0) return true;
  if ([...health.seen.difference.values()].some(({ units }) => units !== 0)) return true;
  if ([...health.seen.unexplained.values()].some((units) => units !== 0)) return true;
  if (health.hasOversizedStops || (breaks !== null && breaks.size > 0)) return true;
  if (known.hasHeldExecutions || known.hasOrderIncidents || known.hasMissingCommission) return true;
  return cash === null || cash.settled !== previousSession('us-equity', now).date;
}
