// The record of model decisions. Each is opened before its model is asked, each answer claimed before its question is sent and filled
// in once, and the decision closed once: whoever comes second, after a crash or beside another process, finds it done.
import { type Kysely, sql } from 'kysely';
import type { QuestionForm } from '#engine/decider/decision-questions.ts';
import type { Proposed } from '#engine/decider/read-answer.ts';
import type { RecordedDecisionOfModel } from '#engine/decider/recorded-answers.ts';
import type { ModelFailure, TokenUsage } from '#ports/language-model.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import { parseWallInstant, type WallInstant, wallText } from '#units/wall-instant.ts';
import type { Database } from '../postgres/database.ts';
import type { Tables } from '../tables.ts';

export type DecisionKey = {
  readonly versionId: StrategyVersionId;
  readonly form: QuestionForm;
  readonly asOf: Instant;
};

export type OpenedDecision = {
  readonly closesAt: WallInstant;
  readonly isClosed: boolean;
};

/** The first one to open it sets the question and its time; everybody else is given what that was. */
export async function openDecision(
  database: Kysely<Tables>,
  key: DecisionKey,
  asked: {
    readonly promptHash: string;
    readonly vendor: string | null;
    readonly model: string;
    readonly isStandIn: boolean;
    readonly knowledgeUntil: IsoDate;
    readonly askedAt: WallInstant;
    readonly closesAt: WallInstant;
  },
): Promise<OpenedDecision> {
  await database
    .insertInto('model_decisions')
    .values({
      ...keyed(key),
      prompt_hash: asked.promptHash,
      vendor: asked.vendor,
      model: asked.model,
      is_stand_in: asked.isStandIn,
      knowledge_until: asked.knowledgeUntil,
      asked_at: wallText(asked.askedAt),
      closes_at: wallText(asked.closesAt),
    })
    .onConflict((conflict) => conflict.columns(['strategy_version_id', 'form', 'as_of']).doNothing())
    .execute();
  const found = await findDecision(database, key);
  if (found === null) throw new Error('a decision that was opened is not there');
  return found;
}

export async function findDecision(
  database: Kysely<Tables>,
  key: DecisionKey,
): Promise<OpenedDecision | null> {
  const row = await database
    .selectFrom('model_decisions')
    .select(['closes_at', 'closed_at'])
    .where(ofDecision(key))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { closesAt: parseWallInstant(row.closes_at), isClosed: row.closed_at !== null };
}

/**
 * Claims one answer before it is asked. taken: somebody asked, or is asking. over_budget: the row says so, and nothing is to be asked.
 * The version is locked meanwhile, so that of two claims the later one counts the earlier one.
 */
export async function claimAnswer(
  database: Database,
  key: DecisionKey,
  {
    sample,
    reserved,
    budget,
    at,
  }: {
    readonly sample: number;
    readonly reserved: Micro;
    /** Of the calendar month that the close is in. */
    readonly budget: Micro;
    readonly at: WallInstant;
  },
): Promise<'claimed' | 'taken' | 'over_budget'> {
  return database.transaction().execute(async (trx) => {
    await sql`select from strategy_versions where id = ${key.versionId} for no key update`.execute(trx);
    const { rows } = await sql<{ spent: string; closed: boolean }>`
      select coalesce(sum(coalesce(a.cost_micro, a.reserved_micro)), 0)::bigint as spent,
        (select closed_at is not null from model_decisions d where d.strategy_version_id = ${key.versionId}
          and d.form = ${key.form} and d.as_of = ${isoText(key.asOf)}) as closed
      from model_decision_answers a
      where a.strategy_version_id = ${key.versionId} and a.form = ${key.form}
        and date_trunc('month', a.as_of at time zone 'UTC') = date_trunc('month', ${isoText(key.asOf)}::timestamptz at time zone 'UTC')`.execute(
      trx,
    );
    const { spent, closed } = rows[0]!;
    if (closed) return 'taken';
    const isOver = parseMicro(spent) + reserved > budget;
    const written = await trx
      .insertInto('model_decision_answers')
      .values({
        ...keyed(key),
        sample,
        asked_at: wallText(at),
        reserved_micro: String(isOver ? 0 : reserved),
        ...(isOver && { outcome: 'over_budget' as const, answered_at: wallText(at), cost_micro: '0' }),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (written.numInsertedOrUpdatedRows !== 1n) return 'taken';
    return isOver ? 'over_budget' : 'claimed';
  });
}

export type SettledAnswer = {
  readonly sample: number;
  readonly outcome: 'object' | ModelFailure | 'other_model' | 'no_model';
  readonly detail: string | null;
  readonly answeredBy: string | null;
  readonly usage: TokenUsage | null;
  readonly object: unknown;
  readonly proposed: Proposed | null;
  readonly at: WallInstant;
};

/** Fills in a claimed answer, once. */
export async function settleAnswer(
  database: Kysely<Tables>,
  key: DecisionKey,
  answer: SettledAnswer,
): Promise<void> {
  const { usage } = answer;
  await database
    .updateTable('model_decision_answers')
    .set({
      outcome: answer.outcome,
      detail: answer.detail,
      answered_by: answer.answeredBy,
      tokens_in: usage?.input ?? null,
      tokens_out: usage?.output ?? null,
      cost_micro: usage === null ? null : String(usage.cost),
      object: answer.object === undefined ? null : JSON.stringify(answer.object),
      proposed: answer.proposed && JSON.stringify(answer.proposed),
      answered_at: wallText(answer.at),
    })
    .where(ofDecision(key))
    .where('sample', '=', answer.sample)
    .where('outcome', 'is', null)
    .execute();
}

type Closing = {
  readonly weights: { readonly [symbol: string]: number } | null;
  readonly agreement: number | null;
};

/**
 * Closes a decision with what was recorded until now: `close` makes the decision of the answers, in their order. Null where answers
 * are on their way and `isOver` does not say that the time is over. A decision that is closed stays as it is.
 */
export async function closeDecision(
  database: Database,
  key: DecisionKey,
  {
    samples,
    isOver,
    at,
    close,
  }: {
    readonly samples: number;
    readonly isOver: boolean;
    readonly at: WallInstant;
    readonly close: (proposals: readonly Proposed[]) => Closing;
  },
): Promise<'closed' | 'open'> {
  return database.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('model_decisions')
      .select('closed_at')
      .where(ofDecision(key))
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (row.closed_at !== null) return 'closed';
    const answers = await trx
      .selectFrom('model_decision_answers')
      .select(['outcome', 'proposed', 'cost_micro', 'reserved_micro'])
      .where(ofDecision(key))
      .orderBy('sample')
      .execute();
    const missing = samples - answers.filter(({ outcome }) => outcome !== null).length;
    if (missing > 0 && !isOver) return 'open';
    const { weights, agreement } = close(
      answers.flatMap(({ proposed }) => (proposed === null ? [] : [proposed as Proposed])),
    );
    const cost = answers.reduce((sum, one) => sum + parseMicro(one.cost_micro ?? one.reserved_micro), 0);
    await trx
      .updateTable('model_decisions')
      .set({
        closed_at: wallText(at),
        weights: weights && JSON.stringify(weights),
        agreement,
        cost_micro: String(cost),
      })
      .where(ofDecision(key))
      .execute();
    return 'closed';
  });
}

/** Closed ones up to a close, oldest first: what backtests and trading are given. */
export async function listModelDecisions(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
  { form = 'plain', through }: { readonly form?: QuestionForm; readonly through?: Instant } = {},
): Promise<readonly RecordedDecisionOfModel[]> {
  const rows = await database
    .selectFrom('model_decisions')
    .select(['as_of', 'weights', 'cost_micro'])
    .where('strategy_version_id', '=', versionId)
    .where('form', '=', form)
    .where('closed_at', 'is not', null)
    .$if(through !== undefined, (query) => query.where(sql<boolean>`as_of <= ${isoText(through!)}`))
    .orderBy('as_of')
    .execute();
  return rows.map(({ as_of, weights, cost_micro }) => ({
    asOf: parseInstant(as_of),
    weights: weights as RecordedDecisionOfModel['weights'],
    cost: parseMicro(cost_micro),
  }));
}

/** How alike the answers to one question were, on average over the closes; null where each was asked once. */
export async function meanAgreement(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
  { form, through }: { readonly form: QuestionForm; readonly through: Instant },
): Promise<number | null> {
  const { rows } = await sql<{ agreement: number | null }>`
    select avg(agreement) as agreement from model_decisions
    where strategy_version_id = ${versionId} and form = ${form} and as_of <= ${isoText(through)}`.execute(
    database,
  );
  return rows[0]!.agreement;
}

const keyed = ({ versionId, form, asOf }: DecisionKey) => ({
  strategy_version_id: versionId,
  form,
  as_of: isoText(asOf),
});

const ofDecision = ({ versionId, form, asOf }: DecisionKey) =>
  sql<boolean>`strategy_version_id = ${versionId} and form = ${form} and as_of = ${isoText(asOf)}`;
