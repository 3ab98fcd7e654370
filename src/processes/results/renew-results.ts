// The thread that keeps published results current while the product trades: new days join the out-of-sample part, and
// a new version's neighbours are tried once. It also writes the ranges of new deployments. It runs at the lowest priority, and at most half of the time.
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { findNewestBacktest } from '#records/results/backtests.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { findVersion } from '#records/strategies/traded-versions.ts';
import { regradeSearch } from '#results/grade-result.ts';
import { type CommittedVersion, renewResult, type ResultTools } from '#results/renew-result.ts';
import { expectRange } from '#results/expect-range.ts';
import { studyVariants } from '#results/study-variants.ts';
import type { HistorySeries } from '#ports/market-history.ts';
import { resultReason } from '#rules/reasons/result-reason.ts';
import { feePercentOf } from '#rules/fees/performance-fee.ts';
import { readEngineHash } from '../wiring/engine-sources.ts';
import { readEnvironment } from '../environment/environment.ts';
import { openHistory } from '../wiring/open-history.ts';
import { openModels } from '../wiring/open-models.ts';
import type { ClockReading } from '../wiring/world.ts';
import { openResultTools } from './open-result-tools.ts';
import type { FromResults, ToResults } from './result-messages.ts';

const IDLE_MAX_MS = 5_000;
/** Consecutive jobs share the bars in memory; older bars are read again. */
const TOOLS_LAST_MS = 30_000;

/** Of the files as this thread has loaded them. */
const ENGINE = readEngineHash();

const port = parentPort;
const { databaseUrl, dataDir, installation } = readEnvironment();
const feePercent = feePercentOf(installation);
if (port === null || databaseUrl === null)
  throw new Error('results are renewed in a worker thread, where DATABASE_URL is set');
// On other systems the priority applies to the whole process, which has more urgent work.
if (process.platform === 'linux') setPriority(19);
const { database } = openDatabase(databaseUrl, { poolSize: 3, onIdleError: () => undefined });
const models = openModels();
const files = openHistory(dataDir);
const history: HistorySeries = (key, of, range) => Promise.resolve(files.series(key, of, range));
let opened: { readonly tools: ResultTools; readonly until: number } | null = null;

port.on('message', (asked: ToResults) => {
  const say = (message: FromResults) => port.postMessage(message);
  answer(asked).then(
    () => say({ failure: null }),
    (error: unknown) => say({ failure: error instanceof Error ? error : new Error(String(error)) }),
  );
});

async function answer(asked: ToResults): Promise<void> {
  const { versionId, work, clock } = asked;
  if (work === 'range') {
    await expectRange({ database, history, now: clock.now, engine: ENGINE }, asked.deploymentId);
    return;
  }
  const record = await findVersion(database, versionId);
  if (record === undefined) return;
  const parsed = parseDefinition(record.definition);
  if (!parsed.ok) return;
  const version: CommittedVersion = { ...record, definition: parsed.definition };
  const tools = { ...(await currentTools(clock)), ...(record.isPrivate && { feePercent: 0 }) };
  const rest = idleTime();
  if (work === 'renew') {
    if ((await renewResult(tools, version)) === 'kept') throw new Error(resultReason('kept_as_published'));
  } else await study(tools, version, rest);
  await rest();
}

async function study(tools: ResultTools, version: CommittedVersion, rest: Rest): Promise<void> {
  if ((await findNewestBacktest(tools.database, version.versionId)) === undefined) return;
  if ((await studyVariants(tools, version, rest)) !== 'done')
    await regradeSearch(tools.database, version.strategyId);
}

async function currentTools(clock: ClockReading): Promise<ResultTools> {
  if (opened === null || opened.until < performance.now()) {
    const tools = await openResultTools({ database, models, clock, engine: ENGINE, dataDir, feePercent });
    opened = { tools, until: performance.now() + TOOLS_LAST_MS };
  }
  return opened.tools;
}

type Rest = () => Promise<void>;

/** Each call waits as long as the work since the call before took. */
function idleTime(): Rest {
  let since = performance.now();
  return async () => {
    await pause(Math.min(IDLE_MAX_MS, performance.now() - since));
    since = performance.now();
  };
}
