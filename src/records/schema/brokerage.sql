-- Brokers, the connections of people to them, the state of each broker session, and the executions a broker reported.
create table brokers (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  logo text not null,
  description text not null,
  broker_type text not null,
  supported_assets text[] not null,
  status text not null check (status in ('available', 'not_set_up', 'coming_soon')),
  position smallint not null,
  -- practice: our own venue, whose money is nobody's.
  mode text not null default 'real' check (mode in ('practice', 'real')),
  unique (id, mode)
);

create table broker_connections (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  broker_id uuid not null references brokers,
  -- choose_account: access is granted, and the client has yet to choose one of several accounts.
  status text not null check (status in ('pending', 'choose_account', 'active', 'failed', 'revoked')),
  -- Why it failed or ended: see rules/reasons/connection-reason.ts.
  reason_code text check (reason_code in ('sign_in_failed', 'permission_rejected', 'removed_by_owner')),
  reason_said text check ((reason_said is not null) = (reason_code is not distinct from 'sign_in_failed')),
  is_primary boolean not null default false,
  -- Its owner lets it trade without a subscription to the broker's market data.
  trades_without_market_data boolean not null default false,
  -- Real clock: since when. Exits declined for it before then are decided again.
  without_market_data_since timestamptz,
  check (trades_without_market_data = (without_market_data_since is not null)),
  state_hash bytea unique,
  request_token text,
  -- AES-256-GCM sealed JSON; only the trader and the connect call open it.
  sealed_credentials bytea,
  sealed_with text generated always as (sealing_key_of(sealed_credentials)) stored references keyring,
  -- Vendor and number (units/account-of-vendor.ts), as in every table: two vendors may give the same number.
  account_id text,
  -- Practice money, as the broker said; null until access is granted.
  is_paper boolean,
  -- The accounts that the sign-in grants: [{accountId, title, currency}]; null until the trader has read them.
  granted_accounts jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  connected_at timestamptz,
  -- Who linked an account under an adviser to this client; null when the client signed in at the broker.
  linked_by text,
  -- With the key below: a practice connection is one to the practice venue, and no other is.
  mode text not null default 'real' check (mode in ('practice', 'real')),
  unique (id, mode),
  foreign key (broker_id, mode) references brokers (id, mode)
);
create index broker_connections_of_user on broker_connections (user_id, created_at desc);
-- The adviser may trade for every account, so only this row names the owner: one account has one client.
create unique index broker_connections_linked_account on broker_connections (broker_id, account_id)
  where linked_by is not null and status = 'active';

-- One row per broker connection that the trader has read. Real clock.
create table broker_sessions (
  connection_id uuid primary key references broker_connections on delete cascade,
  state text not null check (state in
    ('connected', 'sign_in_due', 'reset_window', 'paced', 'degraded', 'competing', 'lost', 'read_only')),
  since timestamptz not null,
  -- For operators: the broker's message.
  detail text not null default '',
  -- Expected end of a reset, and of a pause that the broker asked for; null in the other states.
  until timestamptz,
  -- Trading clock: since when the broker has reported nothing reliable, planned resets excluded.
  unresponsive_since timestamptz,
  -- When orders, executions and positions were last all read and booked.
  reconciled_at timestamptz
);

-- What the API asks of the trader that holds the connection's shard. Only the trader opens broker sessions. The
-- database's clock.
create table broker_requests (
  id uuid primary key,
  -- Null: about the adviser's own access, answered by the holder of the market shard.
  connection_id uuid references broker_connections on delete cascade,
  -- The vendor at which we are the adviser.
  adviser_at text,
  check ((connection_id is null) = (adviser_at is not null)),
  kind text not null check (kind in ('accounts', 'cash', 'lists')),
  asked_at timestamptz not null default clock_timestamp(),
  -- Whoever asked waits no longer: the trader drops it.
  expires_at timestamptz not null,
  answered_at timestamptz,
  answer jsonb,
  check ((answered_at is null) = (answer is null))
);
-- Everyone who asks the same waits for the same answer.
create unique index broker_requests_open on broker_requests (connection_id, adviser_at, kind) nulls not distinct
  where answered_at is null;
create index broker_requests_of_connection on broker_requests (connection_id, asked_at);

-- Cash of the connected accounts, kept fresh by the trader. The database's clock.
create table account_cash (
  account_id text primary key,
  cash_micro bigint not null,
  -- Of it, what live deployments had not spent at the reading, and what new deployments have claimed since.
  claimed_micro bigint not null,
  -- The broker reported it no earlier.
  read_at timestamptz not null
);

-- Earliest next request per user on a rate-limited path of a broker, across all processes. Unlogged: two writes for every such request need no
-- flush to disk, and after a crash of the database every slot is free.
create unlogged table broker_rate_limits (
  -- Id of the broker login.
  user_hash text not null,
  path text not null,
  -- The database's clock.
  free_at timestamptz not null,
  -- The database session of the process whose request is under way; null when none is.
  holder_pid integer,
  holder_since timestamptz,
  primary key (user_hash, path)
);

-- Where a vendor counts the requests of a minute: as many places a user as it allows, over all processes.
create table broker_request_places (
  -- The vendor, and the id of the broker login.
  user_hash text not null,
  place smallint not null,
  -- The vendor has forgotten the request in it. The database's clock.
  free_at timestamptz not null,
  primary key (user_hash, place)
);

-- The broker answered 429: no process sends it anything until then. It counts by address, for all users together.
create table broker_penalties (
  -- Where the broker is reached.
  server text primary key,
  -- The database's clock.
  until timestamptz not null
);

-- The vendors' contract ids, found once for all processes.
create table broker_contracts (
  -- Where the broker is reached: another server has other ids.
  server text not null,
  symbol text not null,
  contract jsonb not null,
  -- When the vendor last confirmed it. The database's clock.
  proven_at timestamptz not null default clock_timestamp(),
  primary key (server, symbol)
);

-- Rows of a broker's lists that could not be read: see engine/execution/reconciliation/unread-rows.ts. Real clock.
create table unread_rows (
  connection_id uuid not null references broker_connections on delete cascade,
  account_id text not null,
  list text not null check (list in ('orders', 'executions', 'positions')),
  -- The broker's id of the row, or its place in the list.
  key text not null,
  -- The first part that could not be read.
  reason text not null check (reason in (
    'form', 'account', 'id', 'instrument', 'side', 'status', 'quantity', 'price', 'commission', 'time')),
  -- unsure: it may be ours, and its instruments wait. kept: it stops nothing, and a person must say what it is. foreign: of
  -- an instrument that no deployment can hold. ignored: two people have set it aside as not ours.
  effect text not null check (effect in ('unsure', 'kept', 'foreign', 'ignored')),
  -- Why it may not be set aside; null when it may.
  ignore_refusal text check (ignore_refusal in ('cut', 'own_order', 'own_position', 'open_order')),
  symbols text[] not null,
  -- As the broker sent it: JSON, possibly cut.
  raw text not null,
  -- SHA-256 of it: who decides about the row decides about this content.
  content_hash text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- The broker lists it no longer, or it could be read.
  ended_at timestamptz,
  primary key (connection_id, list, key)
);
create index unread_rows_open on unread_rows (first_seen_at) where ended_at is null;

create table broker_inbox (
  account_id text not null,
  execution_id text not null,
  connection_id uuid not null references broker_connections,
  -- The execution as the adapter read it.
  report jsonb not null,
  received_at timestamptz not null default clock_timestamp(),
  -- Booked, or in suspense as external. Null while it is held.
  closed_at timestamptz,
  -- Why it is held: see ExecutionHold.
  hold_code text check (hold_code in (
    'order_unconfirmed', 'order_lost', 'revises_booked', 'instrument_unknown', 'order_differs', 'overfill',
    'price_not_positive')),
  hold_params jsonb,
  -- From before the opening of the account: its units are among the opening holdings, and it is never booked.
  is_in_opening boolean not null default false,
  primary key (account_id, execution_id)
);
create index broker_inbox_open on broker_inbox (connection_id) where closed_at is null;
