// The queues of background work. A job is claimed by one worker of the fleet, which sends a heartbeat every few seconds;
// the job of a dead worker starts over, and one that fails permanently goes to the dead letters.
import type { Queue } from 'pg-boss';
import type { BacktestJobId, DeploymentId, StrategyVersionId, UserId } from '#units/identifiers.ts';

/** Payload of each queue: ids only, so that a job works on the current records. */
export type JobData = {
  /** Finds what is due by the clock and sends its jobs. */
  readonly 'due-work': { readonly work: DueWork };
  readonly backtests: { readonly backtestId: BacktestJobId };
  readonly mails: { readonly mailId: string };
  readonly webhooks: { readonly deliveryId: string };
  /** To a browser or a chat. */
  readonly news: { readonly deliveryId: string };
  readonly alarms: { readonly incidentId: string; readonly event: 'opened' | 'ended' };
  readonly 'plan-renewals': { readonly userId: UserId };
  readonly 'result-renewals':
    | { readonly versionId: StrategyVersionId; readonly work: ResultWork }
    | {
        readonly versionId: StrategyVersionId;
        readonly work: 'range';
        readonly deploymentId: DeploymentId;
      };
};

/** How often each is checked, as a cron expression. */
export const DUE_WORK = {
  results: '*/2 * * * *',
  reports: '* * * * *',
  ranges: '* * * * *',
  plans: '* * * * *',
  fees: '* * * * *',
  agreements: '*/5 * * * *',
  payments: '* * * * *',
  incidents: '* * * * *',
  // Reads every book: once a day, and when somebody asks.
  invariants: '30 3 * * *',
  // What the law no longer keeps of closed accounts.
  retention: '0 4 * * *',
  // Of agreements, into the document store and out of it.
  documents: '* * * * *',
  // What signs nobody in any more.
  expired: '17 * * * *',
} as const;
export type DueWork = keyof typeof DUE_WORK;

/** renew: the published result, up to the newest closed bars. study: the version's neighbours, once. */
export type ResultWork = 'renew' | 'study';

export type QueueName = keyof JobData;

/** The queue of permanently failed jobs, until a person retries or discards them. */
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
  // The next run does what a failed one did not.
  'due-work': { retryLimit: 0, expireInSeconds: 300, retentionSeconds: 300, deleteAfterSeconds: HOUR },
  backtests: {
    deadLetter: DEAD_LETTERS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    // The third attempt only reports that it was given up; see processes/results/backtest-jobs.
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
  // Ten attempts within half a day. One that fails ends in its own log, not in the dead letters of support.
  webhooks: {
    deadLetter: DEAD_LETTERS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: 9,
    retryDelay: 60,
    retryBackoff: true,
    expireInSeconds: 120,
    retentionSeconds: 7 * DAY,
    deleteAfterSeconds: DAY,
  },
  // Ten attempts within two hours: older news is none. One that fails ends in its own log.
  news: {
    deadLetter: DEAD_LETTERS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: 9,
    retryDelay: 10,
    retryBackoff: true,
    expireInSeconds: 120,
    retentionSeconds: 7 * DAY,
    deleteAfterSeconds: DAY,
  },
  // Ten attempts within an hour and a half.
  alarms: {
    deadLetter: DEAD_LETTERS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: 9,
    retryDelay: 10,
    retryBackoff: true,
    expireInSeconds: 120,
    retentionSeconds: 7 * DAY,
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
    // One job per key waits or runs, however often the clock finds it due.
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
