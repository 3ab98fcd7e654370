// The queues of background work. A job is claimed by one worker of the fleet, which says that it lives every few
// seconds; the job of a worker that died is begun again, and one that fails for good goes to the dead letters.
import type { Queue } from 'pg-boss';
import type { BacktestJobId, StrategyVersionId, UserId } from '#units/identifiers.ts';

/** What the jobs of each queue carry: ids only, so that a job is worked on by what the records say then. */
export type JobData = {
  /** Looks for what is due by the clock and sends its jobs. */
  readonly 'due-work': { readonly work: DueWork };
  readonly backtests: { readonly backtestId: BacktestJobId };
  readonly mails: { readonly mailId: string };
  readonly 'plan-renewals': { readonly userId: UserId };
  readonly 'result-renewals': { readonly versionId: StrategyVersionId; readonly work: ResultWork };
};

/** How often each is looked for, as cron says it. */
export const DUE_WORK = { results: '*/2 * * * *', reports: '* * * * *', plans: '* * * * *' } as const;
export type DueWork = keyof typeof DUE_WORK;

/** renew: the published result, up to the newest closed bars. study: the version's neighbours, once. */
export type ResultWork = 'renew' | 'study';

export type QueueName = keyof JobData;

/** Where a job lies that failed for good, until a person retries or discards it. */
export const DEAD_LETTERS = 'dead-letters';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The shortest that the library allows: a dead worker's job is taken over within a quarter of a minute. */
const HEARTBEAT_SECONDS = 10;

export const DEAD_LETTER_QUEUE = {
  retentionSeconds: 365 * DAY,
  deleteAfterSeconds: DAY,
} satisfies Omit<Queue, 'name'>;

export const QUEUES = {
  // The next look does what a failed one did not.
  'due-work': { retryLimit: 0, expireInSeconds: 300, retentionSeconds: 300, deleteAfterSeconds: HOUR },
  backtests: {
    deadLetter: DEAD_LETTERS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    // The third attempt only says that it was given up; see processes/results/backtest-jobs.
    retryLimit: 2,
    expireInSeconds: 600,
    deleteAfterSeconds: DAY,
  },
  // Ten attempts within half a day.
  mails: {
    deadLetter: DEAD_LETTERS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: 9,
    retryDelay: 60,
    retryBackoff: true,
    expireInSeconds: 600,
    retentionSeconds: 90 * DAY,
    deleteAfterSeconds: DAY,
  },
  'plan-renewals': {
    policy: 'exclusive',
    deadLetter: DEAD_LETTERS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: 9,
    retryDelay: 60,
    retryBackoff: true,
    expireInSeconds: 600,
    deleteAfterSeconds: DAY,
  },
  'result-renewals': {
    // One job of a key waits or runs, however often the clock finds it due.
    policy: 'exclusive',
    deadLetter: DEAD_LETTERS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: 3,
    retryDelay: 60,
    retryBackoff: true,
    expireInSeconds: 2 * HOUR,
    deleteAfterSeconds: HOUR,
  },
} satisfies { readonly [Name in QueueName]: Omit<Queue, 'name'> };
