// Statements of cash and the breaks that they lead to.
import { type Kysely, sql } from 'kysely';
import {
  CASH_LINES,
  type CashFacts,
  type CashItem,
  type CashLines,
  type CashStatement,
  sumLines,
} from '#engine/cash/cash-statement.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, isoText, parseInstant } from '#units/instant.ts';
import { type Micro, parseMicro, subtract } from '#units/money.ts';
import type { Tables } from '../tables.ts';

export type DatedStatement = CashStatement & {
  readonly date: IsoDate;
  readonly takenAt: Instant;
  /** The cash is explained, or a person is asked. */
  readonly isFinal: boolean;
};

const LINES = sql.raw(CASH_LINES.map((line) => `'${line}', ${line}_micro::text`).join(', '));
const COLUMNS = sql`date::text, opening_micro::text as opening, json_build_object(${LINES}) as lines,
  unexplained_micro::text as unexplained, closing_micro::text as closing, taken_at, is_final`;

type StatementRow = {
  readonly date: IsoDate;
  readonly opening: string;
  readonly lines: Readonly<Record<keyof CashLines, string>>;
  readonly unexplained: string;
  readonly closing: string;
  readonly taken_at: Date;
  readonly is_final: boolean;
};

/** Newest first. */
export async function listStatements(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  max: number,
): Promise<readonly DatedStatement[]> {
  const { rows } = await sql<StatementRow>`
    select ${COLUMNS} from cash_statements where account_id = ${account} order by date desc limit ${max}`.execute(
    database,
  );
  return rows.map(statementOf);
}

/** All statements of days before, together; null before the first. */
export async function sumStatementsBefore(
  database: Kysely<Tables>,
  account: BrokerAccountId,
  date: IsoDate,
): Promise<CashFacts['earlier']> {
  const sums = sql.raw(CASH_LINES.map((line) => `sum(${line}_micro)::text as ${line}`).join(', '));
  const { rows } = await sql<{ closing: string | null } & Record<keyof CashLines, string>>`
    select ${sums}, (array_agg(closing_micro order by date desc))[1]::text as closing
    from cash_statements where account_id = ${account} and date < ${date}`.execute(database);
  const [found] = rows;
  if (found?.closing == null) return null;
  const lines = sumLines(CASH_LINES.map((line) => ({ line, amount: parseMicro(found[line]) })));
  return { lines, closing: parseMicro(found.closing) };
}

export async function saveStatement(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { date, opening, lines, unexplained, closing, takenAt, isFinal }: DatedStatement,
): Promise<void> {
  const columns = sql.raw(CASH_LINES.map((line) => `${line}_micro`).join(', '));
  const amounts = sql.join(CASH_LINES.map((line) => sql`${String(lines[line])}::bigint`));
  const changed = sql.raw(CASH_LINES.map((line) => `${line}_micro = excluded.${line}_micro`).join(', '));
  await sql`
    insert into cash_statements (account_id, date, opening_micro, ${columns}, unexplained_micro, closing_micro, taken_at,
      is_final)
    values (${account}, ${date}, ${String(opening)}::bigint, ${amounts}, ${String(unexplained)}::bigint,
      ${String(closing)}::bigint, ${isoText(takenAt)}, ${isFinal})
    on conflict (account_id, date) do update set opening_micro = excluded.opening_micro, ${changed},
      unexplained_micro = excluded.unexplained_micro, closing_micro = excluded.closing_micro,
      taken_at = excluded.taken_at, is_final = excluded.is_final`.execute(trx);
}

/**
 * People have explained all that was unexplained: each day's part moves to its line, and the newest statement takes what is
 * left of the amount, fractions of a cent.
 */
export async function explainInStatements(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  { line, amount }: CashItem,
): Promise<void> {
  const column = sql.ref(`${line}_micro`);
  const { rows } = await sql<{ explained: string }>`
    with open as (select date, unexplained_micro from cash_statements where account_id = ${account}
      and unexplained_micro <> 0),
    moved as (
      update cash_statements s set ${column} = s.${column} + s.unexplained_micro, unexplained_micro = 0
      from open where s.account_id = ${account} and s.date = open.date returning open.unexplained_micro)
    select coalesce(sum(unexplained_micro), 0)::text as explained from moved`.execute(trx);
  const rest = subtract(amount, parseMicro(rows[0]?.explained ?? '0'));
  await sql`
    update cash_statements s set ${column} = s.${column} + ${String(rest)}::bigint,
      unexplained_micro = s.unexplained_micro - ${String(rest)}::bigint
    where account_id = ${account}
      and date = (select max(date) from cash_statements where account_id = ${account})`.execute(trx);
}

/** Whoever writes statements, breaks or movements of an account waits for the others here. */
export async function lockAccountCash(trx: Kysely<Tables>, account: BrokerAccountId): Promise<void> {
  await trx
    .selectFrom('account_openings')
    .select('account_id')
    .where('account_id', '=', account)
    .forUpdate()
    .execute();
}

/** The open break of an account; null without one. */
export async function findCashBreak(
  database: Kysely<Tables>,
  account: BrokerAccountId,
): Promise<{ readonly id: string; readonly unexplained: Micro } | null> {
  const { rows } = await sql<{ id: string; unexplained: string }>`
    select id, unexplained_micro::text as unexplained from cash_breaks
    where account_id = ${account} and ended_at is null`.execute(database);
  return rows[0] === undefined ? null : { id: rows[0].id, unexplained: parseMicro(rows[0].unexplained) };
}

/** Opens the break, or gives the open one its new amount. */
export async function openCashBreak(
  trx: Kysely<Tables>,
  account: BrokerAccountId,
  seen: { readonly unexplained: Micro; readonly currency: string; readonly date: IsoDate },
): Promise<void> {
  await sql`
    insert into cash_breaks (account_id, currency, unexplained_micro, date)
    values (${account}, ${seen.currency}, ${String(seen.unexplained)}::bigint, ${seen.date})
    on conflict (account_id) where ended_at is null do update set unexplained_micro = excluded.unexplained_micro`.execute(
    trx,
  );
}

export async function endCashBreak(trx: Kysely<Tables>, account: BrokerAccountId): Promise<void> {
  await sql`update cash_breaks set ended_at = clock_timestamp()
    where account_id = ${account} and ended_at is null`.execute(trx);
}

function statementOf(row: StatementRow): DatedStatement {
  const { date, opening, lines, unexplained, closing, taken_at: takenAt, is_final: isFinal } = row;
  return {
    date,
    opening: parseMicro(opening),
    lines: sumLines(CASH_LINES.map((line) => ({ line, amount: parseMicro(lines[line]) }))),
    unexplained: parseMicro(unexplained),
    closing: parseMicro(closing),
    takenAt: parseInstant(takenAt),
    isFinal,
  };
}
