// The role that does the work that waits: backtests, and what falls due by the clock. Any number run, on any hosts, and
// share it; see records/jobs.
import { availableParallelism } from 'node:os';
import { pino } from 'pino';
import { startJobWorker } from '#records/jobs/job-worker.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { LOG_OPTIONS } from '#server/http/log-options.ts';
import { dueWorkHandler } from './due-work.ts';
import { readEnvironment } from './environment.ts';
import { backtestHandler } from './results/backtest-jobs.ts';
import { resultHandler } from './results/result-thread.ts';
import { onStopSignal } from './stop-signals.ts';

/** One processor stays with trading and serving. */
const BACKTESTS_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1));

const { databaseUrl, marketFeedUrl, logLevel } = readEnvironment();
if (databaseUrl === null || marketFeedUrl === null)
  throw new Error(
    'DATABASE_URL and MARKET_FEED_URL are needed when a role runs alone; `npm start` runs everything',
  );
const logger = pino({ ...LOG_OPTIONS, level: logLevel });
const handle = openDatabase(databaseUrl, { poolSize: 6, onIdleError: () => undefined });
const { database } = handle;
const jobs = await startJobWorker({
  database,
  onError: (error) => logger.error({ err: error }, 'a job failed'),
});
await jobs.work('due-work', {}, dueWorkHandler(database));
await jobs.work(
  'backtests',
  { atOnce: BACKTESTS_AT_ONCE, ofGroup: 1 },
  backtestHandler({ database, databaseUrl, marketFeedUrl }),
);
await jobs.work('result-renewals', {}, resultHandler());
onStopSignal(async () => {
  await jobs.stop();
  await handle.close();
});
process.stdout.write('worker serving\n');
