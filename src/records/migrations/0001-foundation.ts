// The first tables of every room. Money is bigint micro-units, quantities and prices are numeric in natural units,
// instants of the sandbox or broker clock and of the real clock are both timestamptz; each column says which.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(IDENTITY + CATALOGUE + MARKET + ONBOARDING + DEPLOYMENTS + TRADING + MONEY + NOTICES)
    .execute(database);
}

const IDENTITY = `
create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  password_hash text not null,
  first_name text not null,
  last_name text not null default '',
  role text not null default 'investor' check (role in ('investor', 'provider', 'support')),
  date_of_birth date,
  country text check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default now()
);
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  remember boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_user on sessions (user_id) where ended_at is null;
-- Each refresh gives a new token; the old one names its successor, sealed, for the short same-answer grace.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  rotated_at timestamptz,
  successor text
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null,
  endpoint text not null,
  request_hash text not null,
  status integer,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, endpoint, key)
);
`;

const CATALOGUE = `
create table strategies (
  id uuid primary key,
  slug text not null unique,
  owner_id uuid references users on delete cascade,
  name text not null,
  short_description text not null,
  description text not null,
  kind text not null check (kind in ('equity', 'forex', 'crypto', 'futures', 'options')),
  strategy_type text not null,
  market text not null check (market in ('us', 'global')),
  risk_level text not null check (risk_level in ('low', 'medium', 'high')),
  risk_score smallint not null check (risk_score between 1 and 5),
  is_featured boolean not null default false,
  min_investment_micro bigint not null check (min_investment_micro > 0),
  fees_percent numeric not null default 30,
  status text not null default 'draft' check (status in ('draft', 'published', 'retired')),
  created_at timestamptz not null default now()
);
-- Immutable: a changed definition is a new version.
create table strategy_versions (
  id uuid primary key,
  strategy_id uuid not null references strategies on delete cascade,
  number integer not null,
  definition jsonb not null,
  definition_hash text not null,
  committed_at timestamptz not null,
  unique (strategy_id, number)
);
-- A result of the engine over closed bars, found again by the hashes of all that went in.
create table backtests (
  id uuid primary key,
  strategy_version_id uuid not null references strategy_versions on delete cascade,
  input_hash text not null,
  result_hash text not null,
  first_date date not null,
  last_date date not null,
  figures jsonb not null,
  series jsonb not null,
  trades jsonb not null,
  created_at timestamptz not null default now(),
  unique (strategy_version_id, input_hash)
);
create index backtests_newest on backtests (strategy_version_id, last_date desc, created_at desc);
`;

const MARKET = `
create table instruments (
  symbol text primary key,
  kind text not null check (kind in ('equity', 'forex', 'crypto', 'futures', 'options')),
  name text not null,
  currency text not null,
  unit_currency text,
  multiplier numeric not null default 1,
  quantity_step numeric not null,
  price_decimals smallint not null,
  calendar text not null,
  settlement text not null check (settlement in ('cash', 'margin')),
  expiry date,
  source text not null check (source in ('sandbox', 'import'))
);
create table bars (
  symbol text not null references instruments on delete cascade,
  interval text not null check (interval in ('1d', '1h', '1m')),
  source text not null check (source in ('sandbox', 'import')),
  closed_at timestamptz not null,
  opened_at timestamptz not null,
  date date not null,
  open double precision not null check (open > 0),
  high double precision not null,
  low double precision not null check (low > 0),
  close double precision not null check (close > 0),
  volume double precision not null check (volume >= 0),
  primary key (symbol, interval, source, closed_at),
  check (high >= open and high >= close and low <= open and low <= close and opened_at < closed_at)
);
-- Splits and dividends as events, so that raw and adjusted prices stay apart.
create table corporate_actions (
  symbol text not null references instruments on delete cascade,
  ex_date date not null,
  kind text not null check (kind in ('split', 'dividend')),
  -- split: new shares per old; dividend: cash per share.
  amount numeric not null check (amount > 0),
  primary key (symbol, ex_date, kind)
);
`;

const ONBOARDING = `
create table risk_profiles (
  id uuid primary key,
  user_id uuid not null unique references users on delete cascade,
  responses jsonb not null,
  score smallint not null check (score between 0 and 100),
  risk_score smallint not null check (risk_score between 1 and 5),
  risk_tolerance text not null,
  investment_experience text not null,
  investment_objective text not null,
  time_horizon text not null,
  financial_situation text not null,
  max_drawdown_tolerance smallint not null,
  recommendations jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table agreements (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  version text not null,
  provider text not null,
  envelope_id text not null unique,
  signing_token_hash bytea unique,
  status text not null check (status in ('created', 'signed', 'expired')),
  document_hash text not null,
  sealed_hash text,
  sealed_pdf bytea,
  unsigned_pdf bytea,
  evidence jsonb not null default '[]',
  signed_name text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  signed_at timestamptz
);
create unique index agreements_signed_once on agreements (user_id, version) where status = 'signed';
create table brokers (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  logo text not null,
  description text not null,
  broker_type text not null,
  supported_assets text[] not null,
  status text not null check (status in ('available', 'coming_soon')),
  position smallint not null
);
create table broker_connections (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  broker_id uuid not null references brokers,
  status text not null check (status in ('pending', 'active', 'failed', 'revoked')),
  status_reason text,
  is_primary boolean not null default false,
  state_hash bytea unique,
  request_token text,
  -- AES-256-GCM sealed JSON; only the trader and the connect call open it.
  sealed_credentials bytea,
  account_id text,
  available_cash_micro bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  connected_at timestamptz
);
create index broker_connections_of_user on broker_connections (user_id, created_at desc);
`;

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
);
create index deployments_of_user on deployments (user_id, deployed_at desc);
create index deployments_trading on deployments (strategy_id, id)
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
);
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
create table orders (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  broker_connection_id uuid not null references broker_connections,
  client_order_id text not null unique,
  target_id uuid references targets,
  cause text not null,
  purpose text not null check (purpose in ('rebalance', 'stop_loss', 'liquidation')),
  attempt integer not null,
  symbol text not null references instruments,
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
  deployment_id uuid not null references deployments,
  target_id uuid references targets,
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
