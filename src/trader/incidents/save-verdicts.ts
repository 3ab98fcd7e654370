import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import type { Database } from '#records/postgres/database.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { Verdict } from '../invariants/check-invariants.ts';

/** A broken invariant is an incident until a check finds it whole; one that could not be checked stays as it is. */
export async function saveVerdicts(
  database: Database,
  verdicts: readonly Verdict[],
  at: WallInstant,
): Promise<void> {
  const byId = Map.groupBy(verdicts, ({ invariant }) => invariant);
  for (const [subject, found] of byId) {
    const violations = found.reduce((sum, one) => sum + one.violations.length, 0);
    const key = { kind: 'invariant_broken', subject } as const;
    if (violations > 0) await openIncident(database, { ...key, facts: { violations } }, at);
    else if (found.every(({ notChecked }) => notChecked === null))
      await endIncident(database, key, { how: 'cleared', at });
  }
}
