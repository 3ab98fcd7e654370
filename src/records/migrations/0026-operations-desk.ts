// What the operations desk shows and decides: since when the fate of an order is unknown, differences between a broker's
// books and ours, and the switch by which a client halts all trading of their own.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- Real clock. A decision that was made before it was about an earlier silence, and settles nothing.
alter table orders add column unknown_since timestamptz;
alter table kill_switches drop constraint kill_switches_scope_check;
-- 'own' is the client's: it halts what 'client' halts, and only they lift it.
alter table kill_switches add constraint kill_switches_scope_check
  check (scope in ('global', 'broker', 'strategy', 'client', 'own'));
create table book_differences (
  id uuid primary key default gen_random_uuid(),
  account_id text not null,
  symbol text not null,
  -- Signed: of all our deployments together, traded there by others as the broker told us, and held as the broker says.
  ours numeric not null,
  external numeric not null,
  theirs numeric not null check (theirs <> ours + external),
  -- Real clock.
  since timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create unique index book_differences_once on book_differences (account_id, symbol) where ended_at is null;
create trigger audited after insert or update on book_differences for each row
  execute function audit_row('book_difference', 'account_id symbol ours external theirs ended_at');
`)
    .execute(database);
}
