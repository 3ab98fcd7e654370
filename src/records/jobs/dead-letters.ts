// Jobs that failed permanently: kept until support retries or discards them.
import { type Kysely, sql } from 'kysely';
import type { JobWithMetadata } from 'pg-boss';
import { JOB_FAILURES, type JobFailure, type JobKind } from '#rules/operations/dead-letter.ts';
import type { BacktestJobId, StrategyVersionId, UserId } from '#units/identifiers.ts';
import { requeueMail } from '../notifications/mails.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import { requeueBacktestJob } from '../results/backtest-jobs.ts';
import type { Tables } from '../tables.ts';
import { bossOn } from './boss-on.ts';
import { DEAD_LETTERS } from './queues.ts';

export type DeadLetter = {
  readonly id: string;
  readonly kind: JobKind;
  /** The strategy or the purpose of the mail; null when the record is gone or has no name. */
  readonly subject: string | null;
  /** The e-mail of the client it belongs to. */
  readonly client: string | null;
  readonly failure: JobFailure;
  /** What the error said. */
  readonly detail: string | null;
  readonly attempts: number;
  readonly sentAt: Date;
  readonly failedAt: Date;
};

const KINDS: Readonly<Record<string, JobKind>> = {
  alarms: 'alarm',
  backtests: 'backtest',
  mails: 'mail',
  news: 'news',
  'plan-renewals': 'plan_renewal',
  'result-renewals': 'result_renewal',
  webhooks: 'webhook',
};

/** The subject of a job, in any queue. */
type AnyData = {
  readonly backtestId?: BacktestJobId;
  readonly mailId?: string;
  readonly userId?: UserId;
  readonly versionId?: StrategyVersionId;
};

type Letter = JobWithMetadata<AnyData>;

/** The oldest first. */
export async function listDeadLetters(database: Database, most: number): Promise<readonly DeadLetter[]> {
  const letters = await bossOn(database).findJobs<AnyData>(DEAD_LETTERS, { queued: true });
  const shown = letters.toSorted((a, b) => a.createdOn.getTime() - b.createdOn.getTime()).slice(0, most);
  const subjects = await findSubjects(database, shown);
  return shown.flatMap((letter) => {
    const kind = KINDS[letter.sourceName ?? ''];
    if (kind === undefined) return [];
    const subject = subjects.get(aboutOf(letter) ?? '');
    return [
      {
        id: letter.id,
        kind,
        subject: subject?.name ?? null,
        client: subject?.email ?? null,
        ...failureOf(letter.sourceOutput),
        attempts: (letter.sourceRetryCount ?? 0) + 1,
        sentAt: letter.sourceCreatedOn ?? letter.createdOn,
        failedAt: letter.createdOn,
      },
    ];
  });
}

const aboutOf = ({ data }: Letter) => data.backtestId ?? data.mailId ?? data.userId ?? data.versionId;

type Subject = { readonly id: string; readonly name: string | null; readonly email: string | null };

async function findSubjects(
  database: Database,
  letters: readonly Letter[],
): Promise<ReadonlyMap<string, Subject>> {
  const ids = letters.flatMap((letter) => aboutOf(letter) ?? []);
  const { rows } = await sql<Subject>`
    select b.id, s.name, u.email from backtest_jobs b
      join strategies s on s.id = b.strategy_id join users u on u.id = b.user_id where b.id = any(${ids}::uuid[])
    union all
    select m.id, replace(m.purpose, '_', ' '), u.email from mails m
      left join users u on u.id = m.user_id where m.id = any(${ids}::uuid[])
    union all
    select u.id, null, u.email from users u where u.id = any(${ids}::uuid[])
    union all
    select v.id, s.name, null from strategy_versions v
      join strategies s on s.id = v.strategy_id where v.id = any(${ids}::uuid[])`.execute(database);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Our handlers name a code; the queue itself has a sentence for an expired claim. */
function failureOf(output: unknown): Pick<DeadLetter, 'failure' | 'detail'> {
  const text = JSON.stringify(output ?? null);
  const said = typeof output === 'object' && output !== null ? output : {};
  const code = 'code' in said ? JOB_FAILURES.find((one) => one === said.code) : undefined;
  const detail = 'detail' in said && typeof said.detail === 'string' ? said.detail : null;
  if (code !== undefined) return { failure: code, detail };
  if (text.includes('heartbeat timeout')) return { failure: 'worker_lost', detail };
  if (/timed out|execution exceeded/.test(text)) return { failure: 'took_too_long', detail };
  return { failure: 'failed', detail: detail ?? text.slice(0, DETAIL_MAX) };
}

const DETAIL_MAX = 300;

type DeadLetterDecision = 'retry' | 'discard';

/**
 * Sends the job again, or removes it. 'not_found' when no such dead letter exists; 'held' when an equal job is already
 * waiting or running.
 */
export async function decideDeadLetter(
  trx: Kysely<Tables>,
  { id, decision, by }: { readonly id: string; readonly decision: DeadLetterDecision; readonly by: UserId },
): Promise<'decided' | 'not_found' | 'held'> {
  if (!isUuid(id)) return 'not_found';
  const boss = bossOn(trx);
  const [letter] = await boss.findJobs<AnyData>(DEAD_LETTERS, { id, queued: true });
  if (letter === undefined) return 'not_found';
  if (decision === 'discard') await boss.deleteJob(DEAD_LETTERS, id);
  else {
    if ((await boss.redrive(DEAD_LETTERS, { ids: [id] })) === 0) return 'held';
    const { backtestId, mailId } = letter.data;
    if (backtestId !== undefined) await requeueBacktestJob(trx, backtestId);
    if (mailId !== undefined) await requeueMail(trx, mailId);
  }
  await trx
    .insertInto('dead_letter_decisions')
    .values({
      id,
      queue: letter.sourceName ?? DEAD_LETTERS,
      about: aboutOf(letter) ?? null,
      code: failureOf(letter.sourceOutput).failure,
      decision,
      decided_by: by,
    })
    .execute();
  return 'decided';
}

type DecidedDeadLetter = {
  readonly decision: DeadLetterDecision;
  readonly by: UserId;
  readonly email: string;
  readonly at: Date;
};

export async function findDecidedDeadLetter(
  database: Kysely<Tables>,
  id: string,
): Promise<DecidedDeadLetter | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await database
    .selectFrom('dead_letter_decisions as d')
    .innerJoin('users as u', 'u.id', 'd.decided_by')
    .select(['d.decision', 'd.decided_by as by', 'u.email', 'd.decided_at as at'])
    .where('d.id', '=', id)
    .executeTakeFirst();
  return row && { ...row, by: row.by as UserId };
}
