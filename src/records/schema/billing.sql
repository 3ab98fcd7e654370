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
