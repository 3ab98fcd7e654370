// When a path of a broker that may be asked only every few seconds may be asked again for a user, by whichever process.
// The user is a hash of what signs in. The database's clock.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table broker_turns (
  user_hash text not null,
  path text not null,
  free_at timestamptz not null,
  primary key (user_hash, path)
)`)
    .execute(database);
}
