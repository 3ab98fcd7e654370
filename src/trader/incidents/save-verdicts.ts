import type { NewIncident } from '#engine/incidents/incident-changes.ts';
import { endIncident, openIncident, syncIncidents } from '#records/incidents/incidents.ts';
import type { Database } from '#records/postgres/database.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { Verdict } from '../invariants/check-invariants.ts';
import { BOOKS_INVARIANT } from '../invariants/replay-invariants.ts';

/** A broken invariant is an incident until a check finds it whole; one that could not be checked stays as it is. */
export async function saveVerdicts(
  database: Database,
  verdicts: readonly Verdict[],
  at: WallInstant,
): Promise<void> {
  await database
    .transaction()
    .execute((trx) =>
      syncIncidents(trx, { connectionId: null, kinds: ['books_differ'] }, differingBooks(verdicts), at),
    );
  const byId = Map.groupBy(verdicts, ({ invariant }) => invariant);
  for (const [subject, found] of byId) {
    const violations = found.reduce((sum, one) => sum + one.violations.length, 0);
    const key = { kind: 'invariant_broken', subject } as const;
    if (violations > 0) await openIncident(database, { ...key, facts: { violations } }, at);
    else if (found.every(({ notChecked }) => notChecked === null))
      await endIncident(database, key, { how: 'cleared', at });
  }
}

/** One of each deployment whose stored figures differ, so that people can have them rebuilt. */
function differingBooks(verdicts: readonly Verdict[]): NewIncident<'books_differ'>[] {
  const rows = verdicts.find(({ says }) => says === BOOKS_INVARIANT.says)?.violations ?? [];
  return [...Map.groupBy(rows, (row) => row['deployment_id'] as DeploymentId)].map(([id, { length }]) => ({
    kind: 'books_differ',
    subject: id,
    deploymentId: id,
    facts: { figures: length },
  }));
}
