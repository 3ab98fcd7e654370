-- Bills of the performance fee: one per deployment and period, with all inputs of the computation, never changed.
create table fee_bills (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  -- 1 is the first bill of the deployment.
  number integer not null check (number > 0),
  is_closing boolean not null,
  -- Some commissions were our estimates: the broker had not stated them.
  has_estimates boolean not null,
  -- Trading clock. The end is the cut-off and belongs to the next period.
  period_start timestamptz not null,
  period_end timestamptz not null,
  -- The newest ledger entry of the deployment when the figures were frozen.
  ledger_through bigint not null,
  capital_micro bigint not null,
  settled_result_micro bigint not null,
  -- At the last valuation before the cut-off; null in the closing bill, when nothing is held.
  worth_micro bigint check ((worth_micro is null) = is_closing),
  -- That valuation, as in equity_marks, whose row of that day may be written again; null when there was none.
  worth_at timestamptz,
  worth_cash_micro bigint,
  worth_held jsonb check ((worth_held is null) = (worth_at is null) and (worth_cash_micro is null) = (worth_at is null)),
  high_water_before_micro bigint not null,
  net_flow_micro bigint not null,
  adjusted_mark_micro bigint not null,
  closing_value_micro bigint not null,
  profit_micro bigint not null check (profit_micro >= 0),
  fee_percent numeric not null,
  fee_micro bigint not null check (fee_micro >= 0 and fee_micro <= profit_micro * fee_percent / 100),
  high_water_after_micro bigint not null check (high_water_after_micro >= adjusted_mark_micro),
  -- Trading clock.
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

-- What a client has paid of a bill: all that was owed of it, and again only after their bank took it back. Its id is the
-- charge's. Real clock.
create table fee_payments (
  id uuid primary key,
  bill_id uuid not null references fee_bills,
  amount_micro bigint not null check (amount_micro > 0),
  currency text not null default 'USD',
  vendor text not null,
  vendor_reference text not null,
  -- It fell due, and its owner lets bills be paid then.
  is_automatic boolean not null,
  paid_at timestamptz not null
);
create index fee_payments_of_bill on fee_payments (bill_id);
create trigger fee_payments_append_only before update or delete on fee_payments
  for each row execute function refuse_change();
create trigger fee_payments_never_emptied before truncate on fee_payments
  for each statement execute function refuse_change();

-- Closing bills computed again after something was booked later. A correction only ever lowers a fee.
create table fee_corrections (
  id uuid primary key,
  bill_id uuid not null references fee_bills,
  deployment_id uuid not null references deployments,
  -- 1 is the first correction of the bill.
  number integer not null check (number > 0),
  -- The newest ledger entry of the deployment that counts.
  ledger_through bigint not null,
  settled_result_micro bigint not null,
  closing_value_micro bigint not null,
  profit_micro bigint not null check (profit_micro >= 0),
  -- The fee by these figures, and what it takes off the one that was owed.
  fee_micro bigint not null check (fee_micro >= 0),
  credit_micro bigint not null check (credit_micro >= 0),
  -- Trading clock.
  at timestamptz not null,
  unique (bill_id, number)
);
create index fee_corrections_of_deployment on fee_corrections (deployment_id);
create trigger fee_corrections_append_only before update or delete on fee_corrections
  for each row execute function refuse_change();
create trigger fee_corrections_never_emptied before truncate on fee_corrections
  for each statement execute function refuse_change();
