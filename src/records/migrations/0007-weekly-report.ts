// The weekly performance report is a mail too: one a person and week of the trading clock.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table mails
  -- The Monday of the week that a report is about.
  add column week date check ((purpose = 'performance_report') = (week is not null)),
  drop constraint mails_purpose_check,
  add constraint mails_purpose_check check (purpose in ('password_reset', 'notification', 'performance_report'));
`)
    .execute(database);
}
