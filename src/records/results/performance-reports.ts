// The weekly report of each person who opted in: that it is due, and its figures.
import { sql } from 'kysely';
import type { UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import { sendMails } from '../notifications/mails.ts';
import type { Database } from '../postgres/database.ts';

/** `marketAt` is the trading clock: the week before its week is reported, once to each person. */
export async function enqueuePerformanceReports(
  database: Database,
  { at, marketAt }: { readonly at: Instant; readonly marketAt: Instant },
): Promise<void> {
  await database.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
    with week as (
      select (date_trunc('week', ${isoText(marketAt)}::timestamptz at time zone 'UTC') - interval '7 days')::date as monday
    )
    insert into mails (id, user_id, purpose, week, cause, created_at)
    select gen_random_uuid(), p.user_id, 'performance_report', monday,
      'performance_report:' || p.user_id || ':' || monday, ${isoText(at)}
    from news_choices p join users u on u.id = p.user_id and u.email_verified_at is not null, week
    where p.news = 'reports' and p.channel = 'mail' and p.is_on and exists (
      select from deployments d join equity_marks m on m.deployment_id = d.id
      where d.user_id = p.user_id and m.date >= monday and m.date < monday + 7
    )
    on conflict (cause) do nothing
    returning id`.execute(trx);
    await sendMails(
      trx,
      rows.map(({ id }) => id),
    );
  });
}

type ReportedDeployment = {
  readonly strategyName: string;
  /** At the last close before the week, or the amount that it began with; with what was added in the week, less what was withdrawn. */
  readonly before: Micro;
  /** At the last close of the week. */
  readonly after: Micro;
};

/** `week` is its Monday as YYYY-MM-DD. */
export async function readWeek(
  database: Database,
  { userId, week }: { readonly userId: UserId; readonly week: string },
): Promise<readonly ReportedDeployment[]> {
  const { rows } = await sql<{ name: string; before: string; after: string }>`
    select s.name, coalesce(earlier.equity_micro, -(select sum(e.amount_micro) from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        where t.deployment_id = d.id and t.kind = 'opening' and e.ledger_account = 'capital')) + coalesce(moved.added, 0) as before,
      later.equity_micro as after
    from deployments d
    join strategies s on s.id = d.strategy_id
    join lateral (
      select equity_micro, at from equity_marks
      where deployment_id = d.id and date >= ${week}::date and date < ${week}::date + 7 order by date desc limit 1
    ) later on true
    left join lateral (
      select equity_micro, at from equity_marks
      where deployment_id = d.id and date < ${week}::date order by date desc limit 1
    ) earlier on true
    left join lateral (
      select sum(case f.kind when 'deposit' then f.moved_micro else -f.moved_micro end) as added from deployment_flows f
      where f.deployment_id = d.id and f.status = 'done' and f.ended_at <= later.at
        and (earlier.at is null or f.ended_at > earlier.at)
    ) moved on true
    where d.user_id = ${userId} and d.mode = 'real'
    order by d.deployed_at, d.id`.execute(database);
  return rows.map(({ name, before, after }) => ({
    strategyName: name,
    before: Number(before) as Micro,
    after: Number(after) as Micro,
  }));
}
