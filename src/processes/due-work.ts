// What is due by the clock is looked for once a minute by one worker of the fleet, which sends a job for each piece.
import { parseDefinition } from '#engine/strategy/parse-definition.ts';
import type { JobHandler } from '#records/jobs/job-worker.ts';
import type { DueWork } from '#records/jobs/queues.ts';
import { sendDueJobs } from '#records/jobs/send-jobs.ts';
import type { Database } from '#records/postgres/database.ts';
import { listCommittedVersions } from '#records/strategies/traded-versions.ts';

export function dueWorkHandler(database: Database): JobHandler<'due-work'> {
  const looks: Readonly<Record<DueWork, () => Promise<void>>> = {
    results: () => sendResultRenewals(database),
  };
  return async ({ data }) => {
    await looks[data.work]();
    return 'done';
  };
}

/** What is out-of-sample by now is of more use to people than the neighbours are. */
const PRIORITY = { renew: 1, study: 0 } as const;

async function sendResultRenewals(database: Database): Promise<void> {
  const versions = (await listCommittedVersions(database)).filter(
    ({ definition }) => parseDefinition(definition).ok,
  );
  await sendDueJobs(
    database,
    'result-renewals',
    (['renew', 'study'] as const).flatMap((work) =>
      versions.map(({ versionId }) => ({
        data: { versionId, work },
        key: `${work} ${versionId}`,
        priority: PRIORITY[work],
      })),
    ),
  );
}
