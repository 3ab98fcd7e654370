// Backtests, sweeps, attacks and searches that people request: input, progress and outcome. The queue decides which worker runs one, and
// what happens when it dies; see records/jobs.
import { type Kysely, sql } from 'kysely';
import type { BacktestJobId, StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import type { Wishes } from '#rules/strategy-builder/judge-search.ts';
import type { Database } from '../postgres/database.ts';
import { cancelWaitingJobs, sendJobs } from '../jobs/send-jobs.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';

type BacktestJobStatus = 'queued' | 'running' | 'done' | 'cancelled' | 'failed';

/** A number of the definition, by its path, and the values to try. */
type SweepParameter = { readonly path: string; readonly values: readonly number[] };

export type BacktestJob = {
  readonly id: BacktestJobId;
  readonly strategyId: StrategyId;
  readonly versionId: StrategyVersionId;
  readonly userId: UserId;
  readonly kind: 'backtest' | 'sweep' | 'attack' | 'search';
  readonly parameters: readonly SweepParameter[];
  /** What is searched for, and among which rules; null of any other kind. */
  readonly search: RuleSearch | null;
  readonly status: BacktestJobStatus;
  readonly progress: number;
  readonly message: string | null;
  /** The line of a backtest that runs, as far as it is: as the contract defines it. */
  readonly partial: unknown;
  /** As the contract defines it; null while there is none. */
  readonly result: unknown;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

export type RuleSearch = {
  readonly wishes: Wishes;
  readonly candidates: readonly {
    readonly definition: object;
    readonly strategyType: string;
    readonly sentence: string;
  }[];
};

type NewBacktestJob = Pick<
  BacktestJob,
  'id' | 'strategyId' | 'versionId' | 'userId' | 'kind' | 'parameters'
> & {
  readonly search?: RuleSearch;
};

/** Null when the person already has that many waiting. The same id again is the same job. */
export async function addBacktestJob(
  database: Database,
  job: NewBacktestJob,
  waitingMax: number,
): Promise<BacktestJob | null> {
  return database.transaction().execute(async (trx) => {
    // Two concurrent requests must not both take the last free slot.
    await sql`select 1 from users where id = ${job.userId} for no key update`.execute(trx);
    const known = await findBacktestJob(trx, job.id);
    if (known) return known;
    const { count } = await trx
      .selectFrom('backtest_jobs')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('user_id', '=', job.userId)
      .where('status', '=', 'queued')
      .executeTakeFirstOrThrow();
    if (Number(count) >= waitingMax) return null;
    const row = await trx
      .insertInto('backtest_jobs')
      .values({
        id: job.id,
        strategy_id: job.strategyId,
        strategy_version_id: job.versionId,
        user_id: job.userId,
        kind: job.kind,
        parameters: JSON.stringify(job.parameters),
        search: job.search === undefined ? null : JSON.stringify(job.search),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await sendJobs(trx, 'backtests', [{ data: { backtestId: job.id }, key: job.id, group: job.userId }]);
    return jobOf(row);
  });
}

export async function findBacktestJob(database: Database, id: string): Promise<BacktestJob | undefined> {
  if (!isUuid<BacktestJobId>(id)) return undefined;
  const row = await jobs(database).where('id', '=', id).executeTakeFirst();
  return row && jobOf(row);
}

/** Newest first, the last hundred. */
export async function listBacktestJobs(
  database: Database,
  strategyId: StrategyId,
): Promise<readonly BacktestJob[]> {
  const rows = await jobs(database)
    .where('strategy_id', '=', strategyId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(jobOf);
}

/** A waiting job is cancelled at once, a running one when its worker notices. An ended one stays. */
export async function cancelBacktestJob(database: Database, id: BacktestJobId): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await sql`
      update backtest_jobs set cancel_requested = true,
        status = case when status = 'queued' then 'cancelled' else status end,
        finished_at = case when status = 'queued' then now() end
      where id = ${id} and status in ('queued', 'running')`.execute(trx);
    await cancelWaitingJobs(trx, 'backtests', id);
  });
}

/**
 * Marks a job as started, also one whose worker died. busy: another of the same person is running.
 * over: it was cancelled meanwhile, or removed with its strategy.
 */
export async function beginBacktestJob(
  database: Database,
  id: BacktestJobId,
): Promise<BacktestJob | 'busy' | 'over'> {
  try {
    const { rows } = await sql<Row>`
      update backtest_jobs set progress = 0, message = null, partial = null,
        status = case when cancel_requested then 'cancelled' else 'running' end,
        started_at = case when cancel_requested then started_at else now() end,
        finished_at = case when cancel_requested then now() end
      where id = ${id} and status in ('queued', 'running')
      returning *`.execute(database);
    const [row] = rows;
    return row === undefined || row.status === 'cancelled' ? 'over' : jobOf(row);
  } catch (error) {
    if (isUniqueViolation(error)) return 'busy';
    throw error;
  }
}

export type BacktestReached = {
  readonly progress: number;
  readonly message: string | null;
  readonly partial: object | null;
};

/** Saves the progress of the job. Returns whether it is still wanted. */
export async function reportBacktestProgress(
  database: Database,
  id: BacktestJobId,
  { progress, message, partial }: BacktestReached,
): Promise<boolean> {
  const row = await database
    .updateTable('backtest_jobs')
    .set({ progress, message, partial: partial === null ? null : JSON.stringify(partial) })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning('cancel_requested')
    .executeTakeFirst();
  return row?.cancel_requested === false;
}

export type JobEnd =
  | { readonly status: 'done'; readonly result: unknown }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly message: string };

export async function endBacktestJob(database: Database, id: BacktestJobId, end: JobEnd): Promise<void> {
  await database
    .updateTable('backtest_jobs')
    .set({
      status: end.status,
      finished_at: sql<Date>`now()`,
      message: end.status === 'failed' ? end.message : null,
      partial: null,
      ...(end.status === 'done' && { progress: 1, result: JSON.stringify(end.result) }),
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();
}

/** It waits again, because its worker stops or a person retries a failed job. */
export async function requeueBacktestJob(database: Kysely<Tables>, id: BacktestJobId): Promise<void> {
  await database
    .updateTable('backtest_jobs')
    .set({ status: 'queued', progress: 0, message: null, partial: null, started_at: null, finished_at: null })
    .where('id', '=', id)
    .where('status', 'in', ['running', 'failed'])
    .execute();
}

function jobs(database: Database) {
  return database.selectFrom('backtest_jobs').selectAll();
}

type Row = Awaited<ReturnType<ReturnType<typeof jobs>['executeTakeFirstOrThrow']>>;

function jobOf(row: Row): BacktestJob {
  return {
    id: row.id,
    strategyId: row.strategy_id,
    versionId: row.strategy_version_id,
    userId: row.user_id,
    kind: row.kind,
    search: row.search as RuleSearch | null,
    parameters: row.parameters as readonly SweepParameter[],
    status: row.status,
    progress: row.progress,
    message: row.message,
    partial: row.partial,
    result: row.result,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '23505';
}
