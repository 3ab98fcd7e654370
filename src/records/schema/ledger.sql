-- Double entry: every transaction sums to zero, and nothing is ever changed.
create table ledger_transactions (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  kind text not null check (kind in ('opening', 'fill', 'position_event', 'fee', 'closing', 'adjustment', 'commission')),
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
