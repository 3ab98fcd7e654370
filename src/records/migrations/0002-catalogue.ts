// What can be traded and by which strategies: instruments, bars, strategies, versions, results.
// Money is bigint micro-units, quantities and prices are numeric in natural units; each instant says its clock.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(CATALOGUE + MARKET).execute(database);
}

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
