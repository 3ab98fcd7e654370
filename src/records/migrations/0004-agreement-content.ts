// An agreement keeps the text that it was composed from, so that the page shows what the document says.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- {agreement, signer: {name, email}, returnUrl}
alter table agreements add column content jsonb not null default '{}';
create index agreements_of_user on agreements (user_id, created_at desc);
`)
    .execute(database);
}
