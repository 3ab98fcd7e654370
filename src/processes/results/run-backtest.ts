// The thread of one requested backtest, sweep or attack. It ends after its answer, and its parent may end it at any moment,
// because every run is in the trial ledger before its figures are stored.
import { availableParallelism, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { BacktestResult } from '#contract/strategies/backtests.ts';
import type { PublishedFigures } from '#engine/evidence/published-record.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { everySet } from '#engine/backtest/variants.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { findVersion } from '#records/strategies/traded-versions.ts';
import { attackDraft } from '#results/attack-draft.ts';
import { backtestDraft, type PartialRun } from '#results/backtest-draft.ts';
import type { CommittedVersion, ResultTools } from '#results/renew-result.ts';
import type { SetRun } from '#results/sweep/run-variant.ts';
import { searchDraft } from '#results/search-draft.ts';
import { sweepDraft } from '#results/sweep-draft.ts';
import { searchSentence } from '#rules/strategy-builder/judge-search.ts';
import { readEngineHash } from '../wiring/engine-sources.ts';
import { openModels } from '../wiring/open-models.ts';
import type { BacktestTask, FromBacktest } from './backtest-messages.ts';
import { openResultTools } from './open-result-tools.ts';

/** They run at the low priority of this thread, so that trading and serving come first. */
const THREADS = Math.min(4, availableParallelism());

const port = parentPort;
if (port === null) throw new Error('a backtest runs as a worker thread');
const say = (message: FromBacktest) => port.postMessage(message);
const task = workerData as BacktestTask;
// On other systems the priority applies to the whole process, and trading must keep its own.
if (process.platform === 'linux') setPriority(10);
const handle = openDatabase(task.databaseUrl, { poolSize: 2, onIdleError: () => undefined });
try {
  say(await answer());
} finally {
  await handle.close();
}

async function answer(): Promise<FromBacktest> {
  const { job, clock, dataDir, feePercent } = task;
  const record = await findVersion(handle.database, job.versionId);
  if (record === undefined) return { type: 'refused', message: 'The strategy was removed.' };
  const parsed = parseDefinition(record.definition);
  if (!parsed.ok) {
    const [first] = parsed.errors;
    return { type: 'refused', message: `The definition cannot be used: ${first?.path} ${first?.message}.` };
  }
  const version: CommittedVersion = { ...record, definition: parsed.definition };
  const tools = await openResultTools({
    database: handle.database,
    models: openModels(),
    clock,
    engine: readEngineHash(),
    dataDir,
    feePercent: record.isPrivate ? 0 : feePercent,
  });
  const runs = { backtest: runBacktest, sweep: runSweep, attack: runAttack, search: runSearch };
  return runs[job.kind](tools, version);
}

function reached(progress: number, message: string, partial?: PartialRun): void {
  say({ type: 'reached', progress, message, ...(partial && { partial }) });
}

async function runBacktest(tools: ResultTools, version: CommittedVersion): Promise<FromBacktest> {
  const drafted = await backtestDraft(tools, version, { asked: askedIn(task.job), reached });
  if (!drafted.ok) return { type: 'refused', message: drafted.message };
  const { figures, firstDate, lastDate, tries } = drafted;
  return {
    type: 'done',
    result: { measures: measuresOf(figures), first_date: firstDate, last_date: lastDate, trials: tries },
  };
}

/** What it found is stored by itself: see records/results/attacks.ts. */
async function runAttack(tools: ResultTools, version: CommittedVersion): Promise<FromBacktest> {
  const attacked = await attackDraft(tools, version, { asked: askedIn(task.job), reached });
  if (!attacked.ok) return { type: 'refused', message: attacked.message };
  return {
    type: 'done',
    result: { measures: null, first_date: null, last_date: null, trials: attacked.tries },
  };
}

async function runSearch(tools: ResultTools, version: CommittedVersion): Promise<FromBacktest> {
  const { search } = task.job;
  if (search === null) throw new Error('a search has candidates');
  const found = await searchDraft(tools, version, { search, asked: askedIn(task.job), reached });
  if (!found.ok) return { type: 'refused', message: found.message };
  const { result, names, figures, judged, versionId } = found;
  return {
    type: 'done',
    result: {
      measures: measuresOf(result.figures),
      first_date: result.firstDate,
      last_date: result.lastDate,
      trials: result.tries,
      search: {
        sentence: searchSentence(judged, search.wishes),
        max_drawdown: search.wishes.maxDrawdown,
        target_return: search.wishes.targetReturn,
        tried: names.map((name, place) => ({
          name,
          annual_return: figures[place]?.annualReturn ?? null,
          max_drawdown: figures[place]?.maxDrawdown ?? null,
          sharpe: figures[place]?.sharpe ?? null,
          is_met: judged.met[place]!,
        })),
        chosen: judged.chosen,
        version_id: versionId,
      },
    },
  };
}

async function runSweep(tools: ResultTools, version: CommittedVersion): Promise<FromBacktest> {
  const sets = everySet(task.job.parameters);
  const swept = await sweepDraft(tools, version, {
    sets,
    asked: askedIn(task.job),
    threads: THREADS,
    reached,
  });
  const best = swept.runs[swept.best]?.figures ?? null;
  return {
    type: 'done',
    result: {
      measures: best && measuresOf(best),
      first_date: swept.days?.first ?? null,
      last_date: swept.days?.last ?? null,
      trials: swept.tries,
      sweep: {
        runs: swept.runs.map(shownRun),
        best: swept.best,
        deflated_sharpe: swept.deflatedSharpe,
        pbo: swept.overfittingProbability,
      },
    },
  };
}

function askedIn({ id, userId }: BacktestTask['job']) {
  return { userId, jobId: id };
}

/** A strategy shows its three- and five-year returns next to its measures, not among them. */
function measuresOf({ return_3y: _3y, return_5y: _5y, ...figures }: PublishedFigures) {
  return figures satisfies BacktestResult['measures'];
}

function shownRun({ parameters, figures, failure }: SetRun) {
  return {
    parameters,
    total_return: figures?.return_inception ?? null,
    annual_return: figures?.annual_return ?? null,
    sharpe: figures?.sharpe_ratio ?? null,
    max_drawdown: figures?.max_drawdown ?? null,
    trades: figures?.total_trades ?? 0,
    ...(failure === undefined ? {} : { failure }),
  };
}
