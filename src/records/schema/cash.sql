-- The cash of brokerage accounts: what they opened with, before any order of ours.
create table account_openings (
  account_id text primary key,
  -- The connection that read it.
  connection_id uuid not null references broker_connections,
  -- The account's base currency.
  currency text not null,
  cash_micro bigint not null,
  -- Trading clock: an execution before it is part of the opening.
  at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp()
);
