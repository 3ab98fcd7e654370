// What is due by the clock is looked for every minute or two by one worker of the fleet, which sends a job for each piece.
import { parseDefinition } from '#engine/strategy/parse-definition.ts';
import type { JobHandler } from '#records/jobs/job-worker.ts';
import type { DueWork, ResultWork } from '#records/jobs/queues.ts';
import { sendDueJobs } from '#records/jobs/send-jobs.ts';
import type { Database } from '#records/postgres/database.ts';
import { listStudiedVersions } from '#records/results/variant-studies.ts';
import { listCommittedVersions } from '#records/strategies/traded-versions.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';

export function dueWorkHandler(database: Database): JobHandler<'due-work'> {
  const looks: Readonly<Record<DueWork, () => Promise<void>>> = {
    results: () => sendResultRenewals(database),
  };
  return async ({ data }) => {
    await looks[data.work]();
    return 'done';
  };
}

async function sendResultRenewals(database: Database): Promise<void> {
  const versions = (await listCommittedVersions(database)).filter(
    ({ definition }) => parseDefinition(definition).ok,
  );
  const studied = await listStudiedVersions(database);
  const job = (work: ResultWork, versionId: StrategyVersionId) => ({
    data: { versionId, work },
    key: `${work} ${versionId}`,
  });
  // What is out-of-sample by now is of more use to people than the neighbours are.
  await sendDueJobs(database, 'result-renewals', [
    ...versions.map(({ versionId }) => job('renew', versionId)),
    ...versions.flatMap(({ versionId }) => (studied.has(versionId) ? [] : [job('study', versionId)])),
  ]);
}
