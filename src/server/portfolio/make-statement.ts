import { readStatementBooks } from '#records/books/statement-books.ts';
import type { Database } from '#records/postgres/database.ts';
import { type Days, periodOf, type StatementPeriod } from '#rules/portfolio/statement/period.ts';
import { type Statement, statementOf } from '#rules/portfolio/statement/statement.ts';
import type { Instruments, StatementBooks } from '#rules/portfolio/statement/statement-books.ts';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, type IsoDate, utcDate } from '#units/instant.ts';

type Asked = {
  readonly period: StatementPeriod;
  readonly day?: string | undefined;
  readonly method: 'fifo' | 'lifo' | 'highest_cost';
  readonly deployment?: string | undefined;
};

export type MadeStatement = Statement & {
  readonly asked: Asked;
  readonly days: Days;
  readonly firstDay: IsoDate;
  readonly lastDay: IsoDate;
  readonly newest: Instant;
  readonly instruments: Instruments;
};

/** Null where there is nothing to state: no deployment, or not this one. */
export async function makeStatement(
  database: Database,
  userId: UserId,
  asked: Asked,
): Promise<MadeStatement | null> {
  const { deployment } = asked;
  const real = await readStatementBooks(database, { userId, mode: 'real' });
  const isShown = ({ id }: StatementBooks) => deployment === undefined || id === deployment;
  const found = real.books.some(isShown)
    ? real
    : await readStatementBooks(database, { userId, mode: 'practice' });
  const shown = found.books.filter(isShown);
  if (shown.length === 0 || (found !== real && deployment === undefined)) return null;
  const { instruments } = found;
  const firstDay = utcDate(Math.min(...shown.map(({ deployedAt }) => deployedAt)) as Instant);
  const newest = Math.max(...shown.map(({ now, days }) => Math.max(now.at, days.at(-1)?.at ?? 0))) as Instant;
  const last = shown.map(({ days }) => days.at(-1)?.date ?? firstDay);
  const lastDay = [utcDate(newest), ...last].toSorted().at(-1)!;
  const days = periodOf(asked.period, (asked.day as IsoDate | undefined) ?? lastDay);
  const made = statementOf(found.books, { days, method: asked.method, instruments, shown: isShown });
  const touched = made.deployments.filter(isTouched);
  return { ...made, deployments: touched, asked, days, firstDay, lastDay, newest, instruments };
}

/** Whether anything of it is in the period. */
function isTouched({ startValue, endValue, moneyIn, moneyOut }: Statement['deployments'][number]): boolean {
  return startValue !== 0 || endValue !== 0 || moneyIn !== 0 || moneyOut !== 0;
}
