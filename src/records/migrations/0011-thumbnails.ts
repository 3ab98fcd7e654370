// The picture of a strategy, as we encoded it anew from what was uploaded.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table strategy_thumbnails (
  strategy_id uuid primary key references strategies on delete cascade,
  webp bytea not null check (octet_length(webp) <= 262144),
  -- Of the bytes: part of its address, so that a browser may keep it.
  hash text not null
);
create index strategies_of_owner on strategies (owner_id) where owner_id is not null;
`)
    .execute(database);
}
