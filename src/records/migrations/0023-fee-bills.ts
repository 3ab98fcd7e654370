// Bills of the performance fee: one per deployment and period, with all that it was computed from, never changed.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table users add column fee_period text not null default 'monthly' check (fee_period in ('weekly', 'monthly'));
-- The end of the last period that was billed, by the trading clock; null before the first.
alter table deployments add column billed_through timestamptz;
create index deployments_to_close on deployments (id)
  where ended_at is not null and billed_through is distinct from ended_at;
create table fee_bills (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  -- 1 is the first bill of the deployment.
  number integer not null check (number > 0),
  is_closing boolean not null,
  -- Trading clock. The end is the cut-off and belongs to the next period.
  period_start timestamptz not null,
  period_end timestamptz not null,
  -- The newest ledger entry of the deployment when the figures were frozen.
  ledger_through bigint not null,
  capital_micro bigint not null,
  settled_result_micro bigint not null,
  -- At the last valuation before the cut-off; null in the closing bill, when nothing is held.
  worth_micro bigint check ((worth_micro is null) = is_closing),
  high_water_before_micro bigint not null,
  net_flow_micro bigint not null,
  worth_before_withdrawal_micro bigint,
  adjusted_mark_micro bigint not null,
  closing_value_micro bigint not null,
  profit_micro bigint not null check (profit_micro >= 0),
  fee_percent numeric not null,
  fee_micro bigint not null check (fee_micro >= 0 and fee_micro <= profit_micro * fee_percent / 100),
  high_water_after_micro bigint not null check (high_water_after_micro >= adjusted_mark_micro),
  due_at timestamptz not null,
  billed_at timestamptz not null default clock_timestamp(),
  check (period_start < period_end or (is_closing and period_start = period_end)),
  unique (deployment_id, period_end),
  unique (deployment_id, number)
);
create unique index fee_bills_one_closing on fee_bills (deployment_id) where is_closing;
create trigger fee_bills_append_only before update or delete on fee_bills
  for each row execute function refuse_change();
create trigger fee_bills_never_emptied before truncate on fee_bills
  for each statement execute function refuse_change();
create trigger audited_insert after insert on fee_bills for each row when (new.fee_micro > 0)
  execute function audit_row('fee_bill', 'deployment_id number period_end profit_micro fee_micro high_water_after_micro');
create trigger audited_fee_period after update on users for each row when (old.fee_period <> new.fee_period)
  execute function audit_row('person', 'fee_period');
-- What is owed to the provider: billed, not taken from the account at the broker.
alter table ledger_entries drop constraint ledger_entries_ledger_account_check;
alter table ledger_entries add constraint ledger_entries_ledger_account_check
  check (ledger_account in ('capital', 'cash', 'holdings', 'realized', 'commission', 'fees', 'payable', 'rounding'));
`)
    .execute(database);
}
