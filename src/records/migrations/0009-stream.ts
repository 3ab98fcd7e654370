// Which transaction wrote a notice or a fill, so that the stream finds what is new without missing what was committed
// late: every transaction before the oldest running one is over.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table notifications add column written_in xid8 not null default pg_current_xact_id();
create index notifications_by_transaction on notifications (written_in);
alter table fills add column written_in xid8 not null default pg_current_xact_id();
create index fills_by_transaction on fills (written_in);
`)
    .execute(database);
}
