// What happened to holdings without an order: splits, dividends, swaps and expiries, each applied once.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table holding_events (
  id bigint generated always as identity primary key,
  deployment_id uuid not null references deployments,
  symbol text not null,
  kind text not null check (kind in ('split', 'dividend', 'swap', 'expiry')),
  -- The session after whose close it happened.
  date date not null,
  event jsonb not null,
  -- What was held at that close, in natural units: what the event is reckoned on.
  entitled numeric not null,
  realized_micro bigint not null,
  -- The newest ledger entry of the deployment before it: a replay of the books applies it right after that one.
  after_entry bigint not null,
  at timestamptz not null,
  unique (deployment_id, symbol, kind, date)
);
create trigger holding_events_append_only before update or delete on holding_events
  for each row execute function refuse_change();
-- Sessions whose end has been dealt with, for each exchange calendar.
create table nights_passed (calendar text primary key, date date not null);
create index fills_by_time on fills using brin (executed_at);
alter table ledger_transactions drop constraint ledger_transactions_kind_check;
alter table ledger_transactions add constraint ledger_transactions_kind_check
  check (kind in ('opening', 'fill', 'holding', 'fee', 'closing', 'correction'));
`)
    .execute(database);
}
