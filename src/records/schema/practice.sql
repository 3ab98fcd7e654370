-- The venue of practice orders, as a broker among the others; no list of brokers offers it.
insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position, mode) values
  ('9e1d5f0a-3b7c-4a52-8f6e-0d2c4b6a8e10', 'practice', 'Practice', '', 'Practice money, filled inside the product.', 'Practice venue',
   '{equity,options,futures,forex,crypto}', 'available', 0, 'practice');

-- Practice accounts: what the venue of practice orders keeps. No broker knows them, and their money is nobody's.
create table practice_accounts (
  account_id text primary key,
  -- SHA-256 of the token that opens it.
  token_hash bytea not null unique,
  opening_micro bigint not null check (opening_micro > 0),
  cash_micro bigint not null,
  realized_micro bigint not null default 0,
  -- Trading clock, these two. Everything until the second has happened to it.
  opened_at timestamptz not null,
  looked_at timestamptz not null
);

create table practice_positions (
  account_id text not null references practice_accounts on delete cascade,
  symbol text not null,
  quantity numeric not null check (quantity <> 0),
  -- In the quote currency, signed like the quantity.
  cost_micro bigint not null,
  primary key (account_id, symbol)
);

create table practice_orders (
  account_id text not null references practice_accounts on delete cascade,
  broker_order_id text not null,
  client_order_id text not null unique,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  quantity numeric not null check (quantity > 0),
  filled_quantity numeric not null default 0 check (filled_quantity between 0 and quantity),
  limit_price numeric,
  stop_price numeric,
  check ((limit_price is null) <> (stop_price is null)),
  status text not null check (status in ('working', 'filled', 'cancelled', 'expired')),
  -- Trading clock, these three.
  submitted_at timestamptz not null,
  expires_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (account_id, broker_order_id)
);
create index practice_orders_changed on practice_orders (account_id, changed_at desc);
create index practice_orders_working on practice_orders (account_id) where status = 'working';

create table practice_executions (
  account_id text not null,
  execution_id text not null,
  broker_order_id text not null,
  client_order_id text not null,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  quantity numeric not null check (quantity > 0),
  price numeric not null,
  commission_micro bigint not null,
  -- Trading clock.
  at timestamptz not null,
  primary key (account_id, execution_id),
  foreign key (account_id, broker_order_id) references practice_orders on delete cascade
);
create index practice_executions_at on practice_executions (account_id, at);
