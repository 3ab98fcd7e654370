// Readings by a language model: its calls with their cost, held against what a person may spend in a day.
import { type Kysely, sql } from 'kysely';
import type { StrategyId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, parseMicro } from '#units/money.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';

/** Of one person, in one day. */
export type Spending = { readonly calls: number; readonly tokens: number; readonly money: Micro };

export type NewCall = {
  readonly id: string;
  readonly userId: UserId;
  readonly readingId: string;
  readonly round: number;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly promptHash: string;
  /** The most that it can cost. */
  readonly reserved: { readonly tokens: number; readonly money: Micro };
  readonly at: Instant;
};

/**
 * Counts a call before it is made, or says which limit it would pass. The person is locked meanwhile: of two calls at once, the later
 * one counts the earlier one.
 */
export async function reserveCall(
  database: Database,
  call: NewCall,
  { daily, from }: { readonly daily: Spending; readonly from: Instant },
): Promise<'reserved' | keyof Spending> {
  return database.transaction().execute(async (trx) => {
    await sql`select from users where id = ${call.userId} for no key update`.execute(trx);
    const spent = await findSpending(trx, call.userId, from);
    if (spent.calls + 1 > daily.calls) return 'calls';
    if (spent.tokens + call.reserved.tokens > daily.tokens) return 'tokens';
    if (spent.money + call.reserved.money > daily.money) return 'money';
    await trx
      .insertInto('model_calls')
      .values({
        id: call.id,
        user_id: call.userId,
        reading_id: call.readingId,
        round: call.round,
        messages: JSON.stringify(call.messages),
        prompt_hash: call.promptHash,
        reserved_tokens: call.reserved.tokens,
        reserved_micro: String(call.reserved.money),
        asked_at: isoText(call.at),
      })
      .execute();
    return 'reserved';
  });
}

/** Since a moment. What was never settled counts as it was reserved. */
export async function findSpending(
  database: Kysely<Tables>,
  userId: UserId,
  from: Instant,
): Promise<Spending> {
  const { rows } = await sql<{ calls: number; tokens: number; money: string }>`
    select count(*)::int as calls, coalesce(sum(coalesce(a.tokens_in + a.tokens_out, c.reserved_tokens)), 0)::int as tokens,
      coalesce(sum(coalesce(a.cost_micro, c.reserved_micro)), 0)::bigint as money
    from model_calls c left join model_answers a on a.call_id = c.id
    where c.user_id = ${userId} and c.asked_at >= ${isoText(from)}`.execute(database);
  const { calls, tokens, money } = rows[0]!;
  return { calls, tokens, money: parseMicro(money) };
}

export type NewAnswer = {
  readonly callId: string;
  readonly userId: UserId;
  readonly outcome:
    | 'object'
    | 'refused'
    | 'truncated'
    | 'malformed'
    | 'unreachable'
    | 'too_slow'
    | 'over_limit'
    | 'denied';
  readonly detail: string | null;
  readonly answeredBy: string | null;
  readonly usage: { readonly input: number; readonly output: number; readonly cost: Micro } | null;
  readonly object: unknown;
  readonly at: Instant;
};

/** What a call came to, in the place of what was reserved. */
export async function settleCall(database: Database, answer: NewAnswer): Promise<void> {
  const { usage } = answer;
  await database
    .insertInto('model_answers')
    .values({
      call_id: answer.callId,
      user_id: answer.userId,
      outcome: answer.outcome,
      detail: answer.detail,
      answered_by: answer.answeredBy,
      tokens_in: usage?.input ?? null,
      tokens_out: usage?.output ?? null,
      cost_micro: usage === null ? null : String(usage.cost),
      object: answer.object === undefined ? null : JSON.stringify(answer.object),
      answered_at: isoText(answer.at),
    })
    .execute();
}

export type SaidWords = {
  readonly messages: readonly string[];
  readonly answers: readonly { readonly about: string; readonly says: string }[];
};

export type ModelReading = {
  readonly id: string;
  readonly userId: UserId;
  readonly conversation: SaidWords;
  readonly readBy: 'model' | 'grammar';
  readonly because: string | null;
  readonly vendor: string;
  readonly model: string;
  readonly isStandIn: boolean;
  readonly promptHash: string;
  readonly proposal: unknown;
  readonly createdAt: Date;
};

export type ModelCall = {
  readonly round: number;
  readonly outcome: NewAnswer['outcome'] | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** What it cost, or what is reserved for it. */
  readonly cost: Micro;
  readonly askedAt: Date;
};

export async function addReading(
  database: Database,
  { createdAt, ...reading }: Omit<ModelReading, 'createdAt'> & { readonly createdAt: Instant },
): Promise<void> {
  await database
    .insertInto('model_readings')
    .values({
      id: reading.id,
      user_id: reading.userId,
      conversation: JSON.stringify(reading.conversation),
      read_by: reading.readBy,
      because: reading.because,
      vendor: reading.vendor,
      model: reading.model,
      is_stand_in: reading.isStandIn,
      prompt_hash: reading.promptHash,
      proposal: reading.proposal === null ? null : JSON.stringify(reading.proposal),
      created_at: isoText(createdAt),
    })
    .execute();
}

/** Of this person; undefined for anybody else's. */
export async function findReading(
  database: Kysely<Tables>,
  id: string,
  userId: UserId,
): Promise<ModelReading | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await database
    .selectFrom('model_readings')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      userId,
      conversation: row.conversation as SaidWords,
      readBy: row.read_by,
      because: row.because,
      vendor: row.vendor,
      model: row.model,
      isStandIn: row.is_stand_in,
      promptHash: row.prompt_hash,
      proposal: row.proposal,
      createdAt: row.created_at,
    }
  );
}

/** In the order in which they were made. */
export async function listCalls(database: Kysely<Tables>, readingId: string): Promise<readonly ModelCall[]> {
  const { rows } = await sql<Omit<ModelCall, 'cost'> & { readonly cost: string }>`
    select c.round, a.outcome, a.tokens_in as "tokensIn", a.tokens_out as "tokensOut",
      coalesce(a.cost_micro, c.reserved_micro) as cost, c.asked_at as "askedAt"
    from model_calls c left join model_answers a on a.call_id = c.id
    where c.reading_id = ${readingId} order by c.round`.execute(database);
  return rows.map((row) => ({ ...row, cost: parseMicro(row.cost) }));
}

export type DraftWords = {
  readonly version: number;
  readonly conversation: SaidWords;
  readonly readingId: string | null;
  readonly decisions: readonly { readonly difference: string; readonly take: 'heard' | 'proposed' }[];
  readonly saidAt: Date;
};

/** For the newest version of the strategy, once. */
export async function addDraftWords(
  database: Database,
  {
    strategyId,
    userId,
    conversation,
    readingId,
    decisions,
    saidAt,
  }: Omit<DraftWords, 'version' | 'saidAt'> & {
    readonly strategyId: StrategyId;
    readonly userId: UserId;
    readonly saidAt: Instant;
  },
): Promise<void> {
  await sql`
    insert into draft_words (strategy_version_id, user_id, conversation, reading_id, decisions, said_at)
    select id, ${userId}::uuid, ${JSON.stringify(conversation)}::jsonb, ${readingId}::uuid, ${JSON.stringify(decisions)}::jsonb,
      ${isoText(saidAt)}::timestamptz
    from strategy_versions where strategy_id = ${strategyId} order by number desc limit 1
    on conflict (strategy_version_id) do nothing`.execute(database);
  if (readingId === null) return;
  await sql`update strategy_versions v set written_by_model = true where v.id = (
    select id from strategy_versions where strategy_id = ${strategyId} order by number desc limit 1)`.execute(
    database,
  );
}

/** Newest version first. */
export async function listDraftWords(
  database: Kysely<Tables>,
  strategyId: StrategyId,
): Promise<readonly DraftWords[]> {
  const { rows } = await sql<DraftWords>`
    select v.number as version, w.conversation, w.reading_id as "readingId", w.decisions, w.said_at as "saidAt"
    from draft_words w join strategy_versions v on v.id = w.strategy_version_id
    where v.strategy_id = ${strategyId} order by v.number desc`.execute(database);
  return rows;
}
