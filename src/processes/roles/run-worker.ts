// The role that runs queued jobs: backtests, mails and work due by the clock. Any number of workers on any hosts share
// the queue; see records/jobs.
import { availableParallelism } from 'node:os';
import { startJobWorker } from '#records/jobs/job-worker.ts';
import { planRenewalHandler } from '#server/billing/renew-plan.ts';
import { feePercentOf } from '#rules/fees/performance-fee.ts';
import { alarmHandler } from '#server/mail/deliver-alarm.ts';
import { httpsSender } from '#adapters/webhook/https/https-sender.ts';
import { knownKeys } from '../environment/known-keys.ts';
import { instant } from '#units/instant.ts';
import { connectAlarms } from '../wiring/connect-alarms.ts';
import { connectDocuments } from '../wiring/connect-documents.ts';
import { connectNews } from '../wiring/connect-news.ts';
import type { World } from '../wiring/world.ts';
import { ANSWER_WITHIN_MS, openRoleDatabase } from '../database/role-database.ts';
import { dueWorkHandler } from '../due-work.ts';
import { readEnvironment } from '../environment/environment.ts';
import { backtestHandler } from '../results/backtest-jobs.ts';
import { resultHandler } from '../results/result-thread.ts';
import { followChats } from './follow-chats.ts';
import { workNews } from './work-news.ts';
import { onStopSignal } from '../environment/stop-signals.ts';
import { openLogger } from '../wiring/open-logger.ts';

/** One processor is left for trading and serving. */
const BACKTESTS_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1));

export async function runWorker(world: World): Promise<void> {
  const environment = readEnvironment(process.env, world.name);
  const { databaseUrl, dataDir, publicUrl, installation } = environment;
  if (databaseUrl === null)
    throw new Error('DATABASE_URL is needed when a role runs alone; `npm start` runs everything');
  const readClock = world.clockOf(environment);
  const logger = openLogger(environment);
  const handle = await openRoleDatabase(databaseUrl, {
    poolSize: 6,
    answerWithinMs: 3 * ANSWER_WITHIN_MS,
    hasSynchronousStandby: environment.hasSynchronousStandby,
  });
  const { database } = handle;
  const jobs = await startJobWorker({
    database,
    onError: (error) => logger.error({ err: error }, 'a job failed'),
  });
  const keys = await knownKeys(environment, database).keyring();
  keys.follow();
  const dependencies = {
    records: handle,
    mail: world.connectMail(environment, database),
    ...connectAlarms(environment),
    payments: world.connectPayments(environment, database),
    documents: connectDocuments(environment),
    now: () => instant(Date.now()),
    webhooks: httpsSender(),
    keys,
    logger,
    config: { installation, publicUrl },
  };
  const channels = connectNews(environment, dependencies);
  await jobs.work('due-work', {}, dueWorkHandler(dependencies));
  await workNews(jobs, { ...dependencies, channels });
  await jobs.work('alarms', { lookEverySeconds: 1 }, alarmHandler(dependencies));
  await jobs.work('plan-renewals', {}, planRenewalHandler(dependencies));
  await jobs.work(
    'backtests',
    { atOnce: BACKTESTS_AT_ONCE, ofGroup: 1 },
    backtestHandler({ database, databaseUrl, dataDir, feePercent: feePercentOf(installation), readClock }),
  );
  await jobs.work('result-renewals', {}, resultHandler(readClock));
  const onError = (error: unknown) => logger.error({ err: error }, 'the chats of the bot');
  const stopChats = channels.telegram && followChats({ ...dependencies, bot: channels.telegram, onError });
  onStopSignal(async () => {
    await stopChats?.();
    await jobs.stop();
    await handle.close();
  });
  process.stdout.write('worker serving\n');
}
