-- Double entry: every transaction sums to zero, and nothing is ever changed.
create table ledger_transactions (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  kind text not null check (kind in ('opening', 'flow', 'fill', 'position_event', 'fee', 'closing', 'adjustment', 'commission')),
  -- What is booked: an execution, an opening. This key refuses booking the same twice.
  cause text not null unique,
  -- Trading clock.
  at timestamptz not null,
  booked_at timestamptz not null default now()
);
create index ledger_transactions_of_deployment on ledger_transactions (deployment_id, at);
create trigger ledger_transactions_append_only before update or delete on ledger_transactions
  for each row execute function refuse_change();

create table ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id uuid not null references ledger_transactions,
  deployment_id uuid not null references deployments,
  -- payable: owed to the provider; it is billed and not taken from the account at the broker.
  ledger_account text not null check (ledger_account in
    ('capital', 'cash', 'holdings', 'realized', 'commission', 'fees', 'payable', 'rounding')),
  currency text not null default 'USD',
  -- Zero only where a transaction moves no money, such as a fill on margin without a commission.
  amount_micro bigint not null
);
create index ledger_entries_of_deployment on ledger_entries (deployment_id, ledger_account);
create index ledger_entries_of_transaction on ledger_entries (transaction_id);
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
create function refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from ledger_entries where transaction_id = new.transaction_id
    group by currency having sum(amount_micro) <> 0
  ) then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id;
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function refuse_unbalanced();

-- What a deployment did in an instrument from flat to flat; written anew from the bookings whenever one of them changes it.
create table round_trips (
  deployment_id uuid not null references deployments,
  symbol text not null,
  -- Of this instrument, from 1.
  number integer not null check (number > 0),
  side text not null check (side in ('long', 'short')),
  -- Trading clock.
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- All that was entered, in units of its end.
  quantity numeric not null check (quantity > 0),
  -- Averages over all entries and all exits, in the quote currency.
  entry_price numeric not null,
  exit_price numeric,
  entry_value_micro bigint not null,
  commission_micro bigint not null,
  -- Dividends and swaps.
  income_micro bigint not null,
  -- Realised, net of commission, with the income.
  pnl_micro bigint not null,
  closed_by text check (closed_by in ('order', 'expiry', 'exercise', 'assignment', 'coin_fee', 'adjustment')),
  -- Of its first and last booking.
  first_place bigint not null,
  last_place bigint,
  -- Its first execution also closed the one before it.
  is_reversal boolean not null,
  primary key (deployment_id, symbol, number),
  constraint closed_whole check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (last_place is null)
    and (closed_at is null or exit_price is not null))
);
create index round_trips_closed on round_trips (deployment_id, closed_at desc) where closed_at is not null;
create unique index round_trips_open on round_trips (deployment_id, symbol) where closed_at is null;
