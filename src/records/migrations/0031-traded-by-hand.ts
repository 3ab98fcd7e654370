// What the desk shows of an account beside books that differ: units that its owner traded by hand out of what deployments
// hold there, and what it is short of since its broker took purchases back.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table book_differences
  -- unexplained: the broker holds something else than books and trades of others come to. Of the others it holds just that.
  add column kind text not null default 'unexplained' check (kind in ('unexplained', 'by_hand', 'shortfall')),
  -- Signed, null of what is unexplained: what the books of deployments take in to close it; of a shortfall what the
  -- account is short of.
  add column units numeric check (units <> 0),
  -- Of what was traded by hand: the average of the latest trades that make it up, and when the last one was, market time.
  add column price numeric check (price > 0),
  add column traded_at timestamptz,
  drop constraint book_differences_check,
  add constraint differs_as_its_kind
    check ((kind = 'unexplained') = (theirs <> ours + external) and (kind = 'unexplained') = (units is null));
drop index book_differences_once;
create unique index book_differences_once on book_differences (account_id, symbol, kind) where ended_at is null;
drop trigger audited on book_differences;
create trigger audited after insert or update on book_differences for each row
  execute function audit_row('book_difference', 'account_id symbol kind ours external theirs units price ended_at');
`)
    .execute(database);
}
