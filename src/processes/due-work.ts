// One worker of the fleet looks for due work every minute or two and queues a job for each item.
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { DocumentStore } from '#ports/document-store.ts';
import type { PaymentsPort } from '#ports/payments.ts';
import { moveDocuments } from '#records/agreements/agreement-documents.ts';
import { listWithoutRange } from '#records/expectation/expected-ranges.ts';
import { listDuePersons } from '#records/billing/subscriptions.ts';
import type { JobHandler } from '#records/jobs/job-worker.ts';
import type { DueWork, ResultWork } from '#records/jobs/queues.ts';
import { rangeJob } from '#records/jobs/range-job.ts';
import { sendDueJobs } from '#records/jobs/send-jobs.ts';
import type { Database, DatabaseHandle } from '#records/postgres/database.ts';
import { eraseExpired } from '#records/leaving/close-account.ts';
import { forgetExpired } from '#records/identity/forget-expired.ts';
import { listStudiedVersions } from '#records/results/variant-studies.ts';
import { listCommittedVersions } from '#records/strategies/traded-versions.ts';
import { remindOfAgreement } from '#server/agreements/remind-of-agreement.ts';
import { collectFees } from '#server/fees/collect-fees.ts';
import { WeeklyReports } from '#server/mail/weekly-reports.ts';
import { saveVerdicts } from '#trader/incidents/save-verdicts.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { reviewPayments } from '#server/payments/review-payments.ts';
import { reviewIncidents } from '#server/operations/review-incidents.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { wallInstantOf } from '#units/wall-instant.ts';

type DueWorkDependencies = {
  readonly records: DatabaseHandle;
  readonly payments: PaymentsPort;
  /** Absent: rows keep documents. */
  readonly documents?: DocumentStore | undefined;
  readonly now: () => Instant;
};

export function dueWorkHandler(dependencies: DueWorkDependencies): JobHandler<'due-work'> {
  const { database } = dependencies.records;
  const reports = new WeeklyReports();
  const looks: Readonly<Record<DueWork, () => Promise<void>>> = {
    results: () => sendResultRenewals(database),
    ranges: () => sendMissingRanges(database),
    reports: () => reports.owe(dependencies),
    plans: () => sendPlanRenewals(dependencies),
    fees: () => collectFees(dependencies),
    agreements: () => remindOfAgreement(dependencies),
    payments: () => reviewPayments(dependencies),
    incidents: () => reviewIncidents(dependencies),
    invariants: () => checkInvariants(dependencies),
    retention: () => eraseExpired(database),
    documents: () => moveToStore(dependencies),
    expired: () => forgetExpired(database, dependencies.now()),
  };
  return async ({ data }) => {
    await looks[data.work]();
    return 'done';
  };
}

async function moveToStore({ records: { database }, documents }: DueWorkDependencies): Promise<void> {
  if (documents !== undefined) await moveDocuments(database, documents);
}

/** Of the records alone: only a trader speaks with a broker. */
async function checkInvariants({ records: { database }, now }: DueWorkDependencies): Promise<void> {
  await saveVerdicts(database, await checkRecords(database), wallInstantOf(now()));
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
  // Current out-of-sample results are more useful to users than the neighbours.
  await sendDueJobs(database, 'result-renewals', [
    ...versions.map(({ versionId }) => job('renew', versionId)),
    ...versions.flatMap(({ versionId }) => (studied.has(versionId) ? [] : [job('study', versionId)])),
  ]);
}

/** Of deployments that were made without their job, or before anything was published. */
async function sendMissingRanges(database: Database): Promise<void> {
  const missing = await listWithoutRange(database, RANGES_AT_ONCE);
  await sendDueJobs(
    database,
    'result-renewals',
    missing.map(({ id, versionId }) => rangeJob(id, versionId)),
  );
}

const RANGES_AT_ONCE = 200;

/** Any beyond this limit wait for the next pass. */
const PLANS_AT_ONCE = 500;

async function sendPlanRenewals({ records, now }: DueWorkDependencies): Promise<void> {
  const due = await listDuePersons(records.database, now(), PLANS_AT_ONCE);
  await sendDueJobs(
    records.database,
    'plan-renewals',
    due.map((userId) => ({ data: { userId }, key: userId })),
  );
}
