-- A person's plan, and their payments. Real clock throughout.
create table subscriptions (
  user_id uuid primary key references users on delete cascade,
  plan text not null check (plan in ('free', 'basic', 'pro', 'enterprise')),
  billing_interval text not null check (billing_interval in ('monthly', 'yearly')),
  -- The day from which periods are counted.
  chosen_at timestamptz not null,
  -- Null on the free plan, which has no periods.
  period_start timestamptz,
  period_end timestamptz,
  period_price_micro bigint not null check (period_price_micro >= 0),
  credit_micro bigint not null default 0 check (credit_micro >= 0),
  -- Set: it ends with its period instead of renewing.
  cancelled_at timestamptz,
  -- Why the last renewal was refused, which ended the plan.
  renewal_failure text,
  check ((period_start is null) = (plan = 'free') and (period_end is null) = (plan = 'free')),
  check (period_end > period_start),
  check (cancelled_at is null or plan <> 'free')
);
create index subscriptions_due on subscriptions (period_end) where period_end is not null;

create table payments (
  id uuid primary key,
  -- The receipt number.
  number bigint generated always as identity unique,
  user_id uuid not null references users,
  kind text not null check (kind in ('start', 'change', 'renewal')),
  plan text not null,
  billing_interval text not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  price_micro bigint not null check (price_micro > 0),
  credit_used_micro bigint not null check (credit_used_micro >= 0),
  amount_micro bigint not null check (amount_micro >= 0),
  currency text not null default 'USD',
  vendor text not null,
  -- The vendor's id; null when credit covered all of it.
  vendor_reference text check ((vendor_reference is null) = (amount_micro = 0)),
  paid_at timestamptz not null,
  check (price_micro = credit_used_micro + amount_micro)
);
create index payments_of_person on payments (user_id, number desc);
create unique index payments_renewed_once on payments (user_id, period_start) where kind = 'renewal';
create trigger payments_append_only before update or delete on payments
  for each row execute function refuse_change();

-- What a person is asked to pay, written before the vendor is asked. Its id is the payment's, and the vendor's reference: it is
-- paid once. Of a fee the first has the id of the bill; another follows only when its payment was taken back.
create table charges (
  id uuid primary key,
  user_id uuid not null references users,
  purpose text not null check (purpose in ('plan', 'fee')),
  amount_micro bigint not null check (amount_micro > 0),
  vendor text not null,
  -- Of a plan: the payment and the subscription as quoted.
  quote jsonb check ((quote is not null) = (purpose = 'plan')),
  bill_id uuid references fee_bills check ((bill_id is not null) = (purpose = 'fee')),
  is_automatic boolean not null,
  -- withdrawn: declined, or given up before it was paid.
  status text not null default 'open' check (status in ('open', 'paid', 'withdrawn')),
  -- Where the payer confirms it.
  page_url text,
  vendor_reference text check ((vendor_reference is not null) = (status = 'paid')),
  paid_micro bigint check ((paid_micro is not null) = (status = 'paid')),
  opened_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (status = 'open'))
);
create index charges_of_person on charges (user_id, opened_at desc);
create index charges_of_bill on charges (bill_id) where bill_id is not null;
create unique index charges_one_of_bill on charges (bill_id) where status = 'open';
create index charges_open on charges (opened_at) where status = 'open';
-- Of two plans bought at once, one waits.
create unique index charges_one_plan on charges (user_id) where purpose = 'plan' and status = 'open';

-- Money given back, agreed by two people. Its id is the proposal's. The reason is shown to the client.
create table refunds (
  id uuid primary key,
  charge_id uuid not null references charges,
  amount_micro bigint not null check (amount_micro > 0),
  because text not null,
  status text not null default 'agreed' check (status in ('agreed', 'made', 'refused')),
  vendor_reference text check ((vendor_reference is not null) = (status = 'made')),
  -- What the vendor said of it; for staff.
  refusal text check ((refusal is not null) = (status = 'refused')),
  agreed_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (status = 'agreed'))
);
create index refunds_of_charge on refunds (charge_id);
create index refunds_agreed on refunds (agreed_at) where status = 'agreed';

-- Payments that a client has asked their bank to take back, as the vendor has them.
create table disputes (
  id text primary key,
  vendor text not null,
  charge_id uuid references charges,
  amount_micro bigint not null,
  because text not null,
  status text not null check (status in ('open', 'won', 'lost')),
  -- Until when the vendor takes our answer; null where it says none.
  respond_by timestamptz,
  opened_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (status = 'open'))
);
create index disputes_open on disputes (opened_at) where status = 'open';
create index disputes_of_charge on disputes (charge_id);

-- Money that a bank took back because a dispute was lost; below zero where the bank gave it back after all.
create table chargebacks (
  dispute_id text not null references disputes,
  -- 1 is the first of the dispute.
  number integer not null check (number > 0),
  charge_id uuid not null references charges,
  amount_micro bigint not null check (amount_micro <> 0),
  -- Of a plan: the part of it that its payer still had, as days or as credit.
  credit_micro bigint not null default 0 check (abs(credit_micro) <= abs(amount_micro)),
  -- Of a fee that was taken back: when its bill is due again. Trading clock.
  due_at timestamptz,
  at timestamptz not null,
  primary key (dispute_id, number)
);
create index chargebacks_of_charge on chargebacks (charge_id);
create trigger chargebacks_append_only before update or delete on chargebacks
  for each row execute function refuse_change();
create trigger chargebacks_never_emptied before truncate on chargebacks
  for each statement execute function refuse_change();

-- Who a person is at the vendor of payments.
create table payers (
  user_id uuid not null references users on delete cascade,
  vendor text not null,
  customer text not null,
  primary key (user_id, vendor)
);

-- The demo world's payments and refunds: records only.
create table ledger_payments (
  reference uuid primary key,
  amount_micro bigint not null check (amount_micro > 0)
);
create table ledger_refunds (
  id uuid primary key,
  reference uuid not null references ledger_payments,
  amount_micro bigint not null check (amount_micro > 0)
);
