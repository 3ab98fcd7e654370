// Backtests and sweeps that people asked for. A job belongs to whoever marked it running and keeps saying so; one whose
// process died is begun again, and given up with a sentence after the second time.
import { sql } from 'kysely';
import type { BacktestJobId, StrategyId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';

export type BacktestJobStatus = 'queued' | 'running' | 'done' | 'cancelled' | 'failed';

/** A number of the definition, by its place, and the values that it is to take. */
export type SweepParameter = { readonly path: string; readonly values: readonly number[] };

export type BacktestJob = {
  readonly id: BacktestJobId;
  readonly strategyId: StrategyId;
  readonly versionId: StrategyVersionId;
  readonly userId: UserId;
  readonly kind: 'backtest' | 'sweep';
  readonly parameters: readonly SweepParameter[];
  readonly status: BacktestJobStatus;
  readonly progress: number;
  readonly message: string | null;
  /** As the contract has it; null while there is none. */
  readonly result: unknown;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

export type NewBacktestJob = Pick<
  BacktestJob,
  'id' | 'strategyId' | 'versionId' | 'userId' | 'kind' | 'parameters'
>;

/** Null when the person has that many waiting already. The same id again is the same job. */
export async function addBacktestJob(
  database: Database,
  job: NewBacktestJob,
  waitingMax: number,
): Promise<BacktestJob | null> {
  return database.transaction().execute(async (trx) => {
    // Two requests at once must not both see the last free place.
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
      })
      .returningAll()
      .executeTakeFirstOrThrow();
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

/** What waits is cancelled at once, what runs as soon as its process hears of it. What has ended stays. */
export async function cancelBacktestJob(database: Database, id: BacktestJobId): Promise<void> {
  await sql`
    update backtest_jobs set cancel_requested = true,
      status = case when status = 'queued' then 'cancelled' else status end,
      message = case when status = 'queued' then ${CANCELLED} else message end,
      finished_at = case when status = 'queued' then now() end
    where id = ${id} and status in ('queued', 'running')`.execute(database);
}

/** The oldest waiting job of somebody who has none running, now running; undefined when there is none. */
export async function claimBacktestJob(database: Database): Promise<BacktestJob | undefined> {
  const claimed = await sql<{ id: string }>`
    update backtest_jobs set status = 'running', attempts = attempts + 1, started_at = now(), alive_at = now(),
      progress = 0, message = null
    where id = (
      select id from backtest_jobs q where status = 'queued'
        and not exists (select 1 from backtest_jobs r where r.user_id = q.user_id and r.status = 'running')
      order by created_at, id limit 1 for update skip locked)
    returning id`
    .execute(database)
    // Another process took a job of the same person in this moment; it is looked for again.
    .catch((error: unknown) => (isUniqueViolation(error) ? { rows: [] } : Promise.reject(error)));
  const [row] = claimed.rows;
  return row && findBacktestJob(database, row.id);
}

/** Says that the job is worked on and how far it is. Answers whether it is still wanted. */
export async function beatBacktestJob(
  database: Database,
  id: BacktestJobId,
  { progress, message }: { readonly progress: number; readonly message: string | null },
): Promise<boolean> {
  const row = await database
    .updateTable('backtest_jobs')
    .set({ alive_at: sql<Date>`now()`, progress, message })
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
      message: end.status === 'done' ? null : end.status === 'failed' ? end.message : CANCELLED,
      ...(end.status === 'done' && { progress: 1, result: JSON.stringify(end.result) }),
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();
}

/** Gives back a job that this process cannot finish; the next one begins it anew. */
export async function returnBacktestJob(database: Database, id: BacktestJobId): Promise<void> {
  await database
    .updateTable('backtest_jobs')
    .set({ status: 'queued', attempts: sql`attempts - 1`, progress: 0, message: null, started_at: null })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();
}

/** Jobs that nobody has worked on for so long: cancelled if that was asked, begun again, or given up. */
export async function recoverBacktestJobs(database: Database, silentSeconds: number): Promise<void> {
  await sql`
    update backtest_jobs set
      status = case when cancel_requested then 'cancelled' when attempts >= ${ATTEMPTS_MAX} then 'failed'
        else 'queued' end,
      message = case when cancel_requested then ${CANCELLED} when attempts >= ${ATTEMPTS_MAX} then ${GIVEN_UP} end,
      finished_at = case when cancel_requested or attempts >= ${ATTEMPTS_MAX} then now() end,
      started_at = case when cancel_requested or attempts >= ${ATTEMPTS_MAX} then started_at end,
      progress = 0
    where status = 'running' and alive_at < now() - make_interval(secs => ${silentSeconds})`.execute(
    database,
  );
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
    parameters: row.parameters as readonly SweepParameter[],
    status: row.status,
    progress: row.progress,
    message: row.message,
    result: row.result,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '23505';
}

const ATTEMPTS_MAX = 2;
const CANCELLED = 'It was cancelled.';
const GIVEN_UP =
  'It was interrupted twice while it ran. Please start it again, with fewer sets if it is a sweep.';
