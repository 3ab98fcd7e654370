-- Strategies and their versions, and the instruments and prices they trade on.
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
  -- Share of the profit above the high-water mark.
  fees_percent numeric not null default 30,
  status text not null default 'draft' check (status in ('draft', 'published', 'retired')),
  -- Of a retired one: the day of its market after whose close its deployments end; null where they go on.
  ends_on date check (ends_on is null or status = 'retired'),
  -- Of a draft: the published strategy whose next version its rules become once two people agree.
  replaces_id uuid references strategies,
  created_at timestamptz not null default now()
);
create index strategies_of_owner on strategies (owner_id) where owner_id is not null;

-- Immutable: a changed definition is a new version.
create table strategy_versions (
  id uuid primary key,
  strategy_id uuid not null references strategies on delete cascade,
  number integer not null,
  definition jsonb not null,
  definition_hash text not null,
  committed_at timestamptz not null,
  -- Of a next version of a published strategy: the proposal that two people agreed on; see operations.sql.
  proposal_id uuid,
  -- Whether a language model wrote these rules, or those that they were changed from by sentences.
  written_by_model boolean not null default false,
  unique (strategy_id, number)
);

-- The picture of a strategy, re-encoded from the upload.
create table strategy_thumbnails (
  strategy_id uuid primary key references strategies on delete cascade,
  webp bytea not null check (octet_length(webp) <= 262144),
  -- Hash of the bytes: part of its URL, so that a browser may cache it.
  hash text not null
);

-- What a person keeps an eye on.
create table watched_strategies (
  user_id uuid not null references users,
  strategy_id uuid not null references strategies on delete cascade,
  since timestamptz not null default clock_timestamp(),
  primary key (user_id, strategy_id)
);
create index watched_strategies_of_strategy on watched_strategies (strategy_id);

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
  source text not null check (source in ('sandbox', 'import', 'live'))
);

-- What a vendor says of an instrument, each from a day on, until a later fact of its kind. Only added to: what was known when
-- can be read again. The ticker is among them: an instrument keeps its symbol when it is renamed.
create table instrument_facts (
  id bigint generated always as identity primary key,
  symbol text not null references instruments,
  kind text not null check (kind in
    ('ticker', 'name', 'exchange', 'calendar', 'vendor_id', 'listing', 'fractionable', 'shortable', 'tradable')),
  value text not null,
  valid_from date not null,
  -- The vendor that says so.
  source text not null,
  -- Trading clock: when we learned it. A later row of the same day corrects an earlier one.
  known_at timestamptz not null,
  unique (symbol, kind, source, valid_from, known_at)
);
create trigger instrument_facts_append_only before update or delete on instrument_facts
  for each row execute function refuse_change();

-- What a vendor reported of an instrument besides splits and dividends, which are corporate actions.
create table security_events (
  symbol text not null references instruments,
  event text not null check (event in
    ('rename', 'merger', 'spin_off', 'rights', 'unit_split', 'redemption', 'removal', 'unread')),
  -- The first day on which the share is something else.
  on_date date not null,
  -- Of a rename: the new one.
  ticker text,
  source text not null,
  known_at timestamptz not null,
  primary key (symbol, event, on_date, source),
  check ((event = 'rename') = (ticker is not null))
);
create trigger security_events_append_only before update or delete on security_events
  for each row execute function refuse_change();

-- What people see: the ticker of a day, oldest known one before the first fact; the symbol where no vendor named it.
create function ticker_on(instrument text, day date) returns text language sql stable parallel safe as $$
  select coalesce((
    select value from instrument_facts where symbol = instrument and kind = 'ticker'
    order by valid_from > day, case when valid_from > day then valid_from end, valid_from desc, known_at desc limit 1
  ), instrument) $$;
-- The tickers that it had before that day and has no more, newest first.
create function former_tickers(instrument text, day date) returns text[] language sql stable parallel safe as $$
  select coalesce(array_agg(ticker order by since desc), '{}') from (
    select ticker_on(instrument, valid_from) as ticker, max(valid_from) as since from instrument_facts
    where symbol = instrument and kind = 'ticker' and valid_from <= day group by 1) had
  where ticker <> ticker_on(instrument, day) $$;

-- Bars are written once. Each carries a seal over itself and the seal before it, so that no old bar can be changed
-- without breaking the chain at that day; the ends of all chains are recorded separately, append-only.
create table bars (
  symbol text not null references instruments on delete cascade,
  interval text not null check (interval in ('1d', '1h', '30m', '15m', '5m', '1m')),
  source text not null check (source in ('sandbox', 'import', 'live')),
  closed_at timestamptz not null,
  opened_at timestamptz not null,
  -- The trading day in the exchange's time zone.
  date date not null,
  open double precision not null check (open > 0),
  high double precision not null,
  low double precision not null check (low > 0),
  close double precision not null check (close > 0),
  volume double precision not null check (volume >= 0),
  -- Position in the chain of the series, in write order; a removed series never restarts from 1.
  link integer not null,
  -- SHA-256 of the seal before, the times and the numbers: big-endian, as integers of 8 bytes (milliseconds) and doubles.
  seal bytea not null,
  primary key (symbol, interval, source, closed_at),
  check (high >= open and high >= close and low <= open and low <= close and opened_at < closed_at)
);
create trigger bars_written_once before update on bars
  for each row execute function refuse_change();
create trigger bars_not_truncated before truncate on bars
  for each statement execute function refuse_change();
-- Only the command for it can remove a whole series, which it records in bar_heads.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  if current_setting('bellwether.removes_series', true) is distinct from 'on' then
    raise exception 'bars are removed as whole series only, by the command that writes it down';
  end if;
  return old;
end $$;
create trigger bars_not_removed before delete on bars for each row execute function refuse_removal();

-- The seal before the first bar of a series.
create function first_seal(symbol text, bar_interval text, source text) returns bytea language sql immutable as $$
  select sha256(convert_to(symbol || '|' || bar_interval || '|' || source, 'UTF8'))
$$;
create function bar_seal(previous bytea, closed_at timestamptz, opened_at timestamptz, day date,
  open float8, high float8, low float8, close float8, volume float8) returns bytea language sql immutable as $$
  select sha256(previous || int8send((extract(epoch from closed_at) * 1000)::int8)
    || int8send((extract(epoch from opened_at) * 1000)::int8) || convert_to(to_char(day, 'YYYY-MM-DD'), 'UTF8')
    || float8send(open) || float8send(high) || float8send(low) || float8send(close) || float8send(volume))
$$;

-- The end of a chain after each write. References no instrument: a removed series stays known.
create table bar_heads (
  id bigint generated always as identity primary key,
  symbol text not null,
  interval text not null,
  source text not null,
  -- removed: the series was removed on purpose; the next bar continues from this seal.
  kind text not null check (kind in ('added', 'removed')),
  link integer not null check (link > 0),
  -- Seal of the bar at that link.
  date date not null,
  seal bytea not null check (octet_length(seal) = 32),
  created_at timestamptz not null default now()
);
create index bar_heads_of_series on bar_heads (symbol, interval, source, id desc);
create trigger bar_heads_append_only before update or delete on bar_heads
  for each row execute function refuse_change();
create trigger bar_heads_not_truncated before truncate on bar_heads
  for each statement execute function refuse_change();

-- The files of the market history and the seals that they end with. A row is written before a file takes its place and
-- another after it: what stopped in between is one of the two, and both are ours.
create table history_heads (
  id bigint generated always as identity primary key,
  file text not null,
  source text not null check (source in ('sandbox', 'import', 'live')),
  interval text not null check (interval in ('1d', '1h', '1m')),
  symbol text not null,
  -- removed: the series was removed on purpose, and the name is not used again.
  state text not null check (state in ('prepared', 'written', 'removed')),
  row_groups integer not null check (row_groups > 0),
  bars bigint not null check (bars > 0),
  -- Of this write: bars that were known with other numbers.
  revised integer not null check (revised >= 0),
  known_at timestamptz not null,
  seal bytea not null check (octet_length(seal) = 32)
);
create index history_heads_of_file on history_heads (file, id desc);
create index history_heads_of_series on history_heads (source, interval, symbol);
create trigger history_heads_append_only before update or delete on history_heads
  for each row execute function refuse_change();
create trigger history_heads_not_truncated before truncate on history_heads
  for each statement execute function refuse_change();

-- Files that an import has finished, so that one that was stopped goes on where it was.
create table history_imports (
  -- Of the file as it was and of what was asked for.
  fingerprint bytea primary key check (octet_length(fingerprint) = 32),
  finished_at timestamptz not null default now()
);

-- Splits and dividends as events, so that raw and adjusted prices stay separate.
create table corporate_actions (
  symbol text not null references instruments on delete cascade,
  ex_date date not null,
  kind text not null check (kind in ('split', 'dividend')),
  -- split: new shares per old; dividend: cash per share.
  amount numeric not null check (amount > 0),
  primary key (symbol, ex_date, kind)
);
