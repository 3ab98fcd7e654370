// Deployments and all that happens to them: targets, orders, fills, positions, ledger, notices.
// Money is bigint micro-units, quantities and prices are numeric in natural units; each instant says its clock.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(DEPLOYMENTS + TRADING + MONEY + NOTICES).execute(database);
}

const DEPLOYMENTS = `
create table deployments (
  id uuid primary key,
  user_id uuid not null references users,
  strategy_id uuid not null references strategies,
  strategy_version_id uuid not null references strategy_versions,
  broker_connection_id uuid not null references broker_connections,
  status text not null check (status in
    ('pending', 'active', 'paused', 'frozen', 'stopping', 'liquidating', 'liquidated', 'stopped', 'failed')),
  status_reason text,
  -- What the person asked for and the trader has not made a fact yet.
  wished_status text check (wished_status in ('active', 'paused', 'stopped', 'liquidated')),
  investment_micro bigint not null check (investment_micro > 0),
  stop_loss_percent numeric not null,
  max_allocation_percent numeric not null,
  freeze_on_drawdown_percent numeric not null,
  -- Kept equal to the ledger; see the verify command.
  cash_micro bigint not null,
  realized_micro bigint not null default 0,
  equity_micro bigint not null,
  peak_equity_micro bigint not null,
  high_water_mark_micro bigint not null,
  frozen_at timestamptz,
  -- {symbol: 'long' | 'short'}: see DeploymentState.stoppedOut
  stopped_out jsonb not null default '{}',
  applied_target_id uuid,
  -- Grows with each change; a writer that read an older one must read again.
  revision bigint not null default 0,
  -- Trading clock.
  deployed_at timestamptz not null,
  marked_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now()
) with (fillfactor = 60);
create index deployments_of_user on deployments (user_id, deployed_at desc);
create index deployments_trading on deployments (strategy_version_id, id)
  where status in ('pending', 'active', 'frozen', 'stopping', 'liquidating', 'paused');
create table positions (
  deployment_id uuid not null references deployments,
  symbol text not null references instruments,
  quantity numeric not null check (quantity <> 0),
  -- In the quote currency, signed like the quantity.
  cost_micro bigint not null,
  mark_price numeric not null,
  -- In US dollars, at mark_price.
  current_value_micro bigint not null,
  total_cost_micro bigint not null,
  unrealized_micro bigint not null,
  notional_micro bigint not null,
  opened_at timestamptz not null,
  marked_at timestamptz not null,
  primary key (deployment_id, symbol)
) with (fillfactor = 60);
create table equity_marks (
  deployment_id uuid not null references deployments,
  date date not null,
  at timestamptz not null,
  cash_micro bigint not null,
  positions_micro bigint not null,
  equity_micro bigint not null,
  -- Close of the strategy's benchmark that day, in its own units.
  benchmark numeric,
  primary key (deployment_id, date)
);
`;

const TRADING = `
-- One evaluation of one strategy version at one close, for everybody who deployed it.
create table targets (
  id uuid primary key,
  strategy_version_id uuid not null references strategy_versions,
  as_of timestamptz not null,
  weights jsonb not null,
  rebalance boolean not null,
  receipt jsonb not null,
  hash text not null,
  created_at timestamptz not null default now(),
  fanned_out_at timestamptz,
  unique (strategy_version_id, as_of)
);
create index targets_to_fan_out on targets (as_of) where fanned_out_at is null;
-- The hottest write of all: one reference is checked, to the deployment. Connection, target and instrument are copied
-- from rows of it that are referenced there and never go away.
create table orders (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  broker_connection_id uuid not null,
  client_order_id text not null unique,
  target_id uuid,
  cause text not null,
  purpose text not null check (purpose in ('rebalance', 'stop_loss', 'liquidation')),
  attempt integer not null,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  quantity numeric not null check (quantity > 0),
  limit_price numeric not null,
  reference_price numeric not null,
  -- intended: written, not sent. sending: the send has begun, its outcome is not known yet. unknown: quarantined.
  status text not null check (status in
    ('intended', 'sending', 'working', 'filled', 'cancelled', 'rejected', 'expired', 'withdrawn', 'unknown')),
  status_reason text,
  filled_quantity numeric not null default 0 check (filled_quantity <= quantity),
  filled_value_micro bigint not null default 0,
  realized_micro bigint not null default 0,
  broker_order_id text,
  notes text not null,
  -- Trading clock.
  decided_at timestamptz not null,
  sent_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  unique (deployment_id, cause, symbol, purpose, attempt)
);
create index orders_of_deployment on orders (deployment_id, decided_at desc);
create index orders_open on orders (broker_connection_id) where status in ('intended', 'sending', 'working', 'unknown');
create index orders_open_of_deployment on orders (deployment_id) where status in ('intended', 'sending', 'working', 'unknown');
create index exit_orders on orders (deployment_id) where purpose <> 'rebalance';
create table fills (
  execution_id text not null,
  account_id text not null,
  order_id uuid not null references orders,
  deployment_id uuid not null references deployments,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  quantity numeric not null check (quantity > 0),
  price numeric not null check (price > 0),
  commission_micro bigint not null,
  realized_micro bigint not null,
  executed_at timestamptz not null,
  booked_at timestamptz not null default now(),
  primary key (account_id, execution_id)
);
create index fills_of_deployment on fills (deployment_id, executed_at desc);
-- Why it traded, and why it did not: one row per deployment and event that was decided on.
create table receipts (
  id bigint generated always as identity primary key,
  deployment_id uuid not null,
  target_id uuid,
  at timestamptz not null,
  cause text not null,
  decisions jsonb not null
);
create index receipts_of_deployment on receipts (deployment_id, at desc);
-- Executions at the broker that belong to no order of ours.
create table external_fills (
  execution_id text not null,
  account_id text not null,
  symbol text not null,
  side text not null,
  quantity numeric not null,
  price numeric not null,
  executed_at timestamptz not null,
  primary key (account_id, execution_id)
);
create table heartbeats (
  process text primary key,
  -- Real clock.
  beat_at timestamptz not null,
  -- Trading clock at that moment.
  market_at timestamptz,
  details jsonb not null default '{}'
);
`;

const MONEY = `
create table ledger_transactions (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  kind text not null check (kind in ('opening', 'fill', 'fee', 'closing', 'correction')),
  -- What is booked: an execution, an opening. Booking the same twice is refused by this key.
  cause text not null unique,
  at timestamptz not null,
  booked_at timestamptz not null default now()
);
create index ledger_transactions_of_deployment on ledger_transactions (deployment_id, at);
create table ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id uuid not null references ledger_transactions,
  deployment_id uuid not null references deployments,
  ledger_account text not null check (ledger_account in
    ('capital', 'cash', 'holdings', 'realized', 'commission', 'fees', 'rounding')),
  currency text not null default 'USD',
  amount_micro bigint not null check (amount_micro <> 0)
);
create index ledger_entries_of_deployment on ledger_entries (deployment_id, ledger_account);
create index ledger_entries_of_transaction on ledger_entries (transaction_id);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger ledger_entries_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
create trigger ledger_transactions_append_only before update or delete on ledger_transactions
  for each row execute function refuse_change();
create trigger fills_append_only before update or delete on fills
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
`;

const NOTICES = `
create table notifications (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  deployment_id uuid references deployments,
  kind text not null,
  title text not null,
  message text not null,
  -- The event that promised it: a second notice of the same event is refused.
  cause text not null unique,
  read_at timestamptz,
  -- Trading clock.
  created_at timestamptz not null
);
create index notifications_of_user on notifications (user_id, created_at desc);
create table settings (
  key text primary key,
  value jsonb not null
);
`;
