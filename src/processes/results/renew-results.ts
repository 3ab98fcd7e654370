// The thread that keeps published results current while the product trades: new days join the out-of-sample part, and
// a new version's neighbours are tried once. It runs beside the trading thread, at the lowest priority, and at most
// half of the time.
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { parseDefinition } from '#engine/strategy/parse-definition.ts';
import { findNewestBacktest } from '#records/results/backtests.ts';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { takeResultLease } from '#records/results/result-lease.ts';
import { listCommittedVersions } from '#records/strategies/traded-versions.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import { LOG_OPTIONS } from '#server/http/log-options.ts';
import {
  type CommittedVersion,
  regradeResult,
  renewResult,
  type ResultTools,
} from '#results/renew-result.ts';
import { studyVariants } from '#results/study-variants.ts';
import { readEngineHash } from '../engine-sources.ts';
import { type Environment, readEnvironment } from '../environment.ts';
import { openModels } from '../open-models.ts';
import { openResultTools } from './open-result-tools.ts';

/** About five days of the sandbox at its usual speed. */
const PASS_EVERY_MS = 100_000;
const LEASE_AGAIN_MS = 30_000;
/** The trading roles have just started and have more urgent things to do. */
const FIRST_PASS_AFTER_MS = 5_000;
const RESTS_MAX_MS = 5_000;

/** Of the files as this thread has loaded them. */
const ENGINE = readEngineHash();

const environment = readEnvironment();
const logger = pino({ ...LOG_OPTIONS, level: environment.logLevel });
// Elsewhere a priority is the whole process's, and trading must keep its own.
if (process.platform === 'linux') setPriority(19);
await work(environment);

async function work({ databaseUrl, marketFeedUrl }: Environment): Promise<void> {
  if (databaseUrl === null || marketFeedUrl === null)
    throw new Error('results are renewed where DATABASE_URL and MARKET_FEED_URL are set');
  const handle = openDatabase(databaseUrl, { poolSize: 3, onIdleError: () => undefined });
  const models = openModels();
  await pause(FIRST_PASS_AFTER_MS);
  for (;;) {
    const lease = await takeResultLease(handle.pool).catch(() => null);
    if (lease === null) {
      await pause(LEASE_AGAIN_MS);
      continue;
    }
    try {
      await renewAll(handle, models, marketFeedUrl);
    } catch (error) {
      logger.error({ err: error }, 'results: the pass failed; the next one begins anew');
    }
    lease.release();
    await pause(PASS_EVERY_MS);
  }
}

async function renewAll({ database }: DatabaseHandle, models: ModelRunner, feedUrl: string): Promise<void> {
  const tools = await openResultTools({ database, models, feedUrl, engine: ENGINE });
  const versions = (await listCommittedVersions(database)).flatMap((record) => {
    const parsed = parseDefinition(record.definition);
    return parsed.ok ? [{ ...record, definition: parsed.definition }] : [];
  });
  // What is out-of-sample by now is of more use to people than the neighbours are.
  for (const version of versions) await attempt(version, (rest) => renewOne(tools, version, rest));
  for (const version of versions) await attempt(version, (rest) => studyOne(tools, version, rest));
}

type Rest = () => Promise<void>;

async function renewOne(tools: ResultTools, version: CommittedVersion, rest: Rest): Promise<void> {
  await renewResult(tools, version);
  await rest();
}

async function studyOne(tools: ResultTools, version: CommittedVersion, rest: Rest): Promise<void> {
  if ((await findNewestBacktest(tools.database, version.versionId)) === undefined) return;
  if ((await studyVariants(tools, version, rest)) !== 'done') await regradeResult(tools, version);
}

async function attempt(
  { strategyName }: { readonly strategyName: string },
  work: (rest: Rest) => Promise<void>,
): Promise<void> {
  try {
    await work(resting());
  } catch (error) {
    logger.error({ err: error, strategy: strategyName }, 'results: this one could not be renewed');
  }
}

/** Each call waits as long as the work since the call before took. */
function resting(): Rest {
  let since = performance.now();
  return async () => {
    await pause(Math.min(RESTS_MAX_MS, performance.now() - since));
    since = performance.now();
  };
}
