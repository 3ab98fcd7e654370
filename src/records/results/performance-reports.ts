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
    from notification_preferences p join users u on u.id = p.user_id and u.email_verified_at is not null, week
    where p.email_performance_reports and exists (
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
  /** At the last close before the week; the investment when the deployment began in the week. */
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
    select s.name, coalesce(earlier.equity_micro, d.investment_micro) as before, later.equity_micro as after
    from deployments d
    join strategies s on s.id = d.strategy_id
    join lateral (
      select equity_micro from equity_marks
      where deployment_id = d.id and date >= ${week}::date and date < ${week}::date + 7 order by date desc limit 1
    ) later on true
    left join lateral (
      select equity_micro from equity_marks
      where deployment_id = d.id and date < ${week}::date order by date desc limit 1
    ) earlier on true
    where d.user_id = ${userId} and d.mode = 'real'
    order by d.deployed_at, d.id`.execute(database);
  return rows.map(({ name, before, after }) => ({
    strategyName: name,
    before: Number(before) as Micro,
    after: Number(after) as Micro,
  }));
}
