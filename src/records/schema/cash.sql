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

-- One row for each account and session of the American exchanges, with one column for each of CASH_LINES in
-- engine/cash/cash-statement.ts. A row is taken again until the cash is explained, or until a person is asked.
create table cash_statements (
  account_id text not null references account_openings,
  date date not null,
  opening_micro bigint not null,
  trades_micro bigint not null,
  commissions_micro bigint not null,
  dividends_micro bigint not null,
  swaps_micro bigint not null,
  deliveries_micro bigint not null,
  adjustments_micro bigint not null,
  external_trades_micro bigint not null,
  -- Of margin instruments, which the broker nets over all holders.
  netting_micro bigint not null,
  transfers_micro bigint not null,
  interest_micro bigint not null,
  fees_micro bigint not null,
  apart_micro bigint not null,
  conversion_micro bigint not null,
  unexplained_micro bigint not null,
  -- The broker's figure.
  closing_micro bigint not null,
  -- Trading clock.
  taken_at timestamptz not null,
  is_final boolean not null,
  primary key (account_id, date),
  constraint statement_adds_up check (closing_micro = opening_micro + trades_micro + commissions_micro + dividends_micro
    + swaps_micro + deliveries_micro + adjustments_micro + external_trades_micro + netting_micro + transfers_micro
    + interest_micro + fees_micro + apart_micro + conversion_micro + unexplained_micro)
);

-- The desk's view of cash that nothing explains.
create table cash_breaks (
  id uuid primary key default gen_random_uuid(),
  account_id text not null references account_openings,
  currency text not null,
  unexplained_micro bigint not null check (unexplained_micro <> 0),
  -- Of the statement that first showed it.
  date date not null,
  since timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create unique index cash_breaks_once on cash_breaks (account_id) where ended_at is null;

-- What moved in an account besides trades and what is booked for deployments. An amount of it is booked once.
create table cash_movements (
  account_id text not null references account_openings,
  -- 'decision:<id>': two people of support agreed on it. 'estimate:dividend:<symbol>:<session>:<number>': our estimate for the
  -- owner's own shares. 'stated:...' brings it to the broker's figure. 'activity:<id>': the broker itemised it.
  reference text not null,
  line text not null check (line in ('transfers', 'dividends', 'interest', 'fees', 'apart')),
  amount_micro bigint not null check (amount_micro <> 0),
  -- Trading clock.
  at timestamptz not null,
  primary key (account_id, reference)
);
create trigger cash_movements_append_only before update or delete on cash_movements
  for each row execute function refuse_change();

-- What a broker lists about cash besides executions, each once by the broker's id.
create table cash_activities (
  account_id text not null,
  activity_id text not null,
  kind text not null check (kind in
    ('dividend', 'withholding_tax', 'interest', 'swap', 'fee', 'trading_fee', 'coin_fee', 'deposit', 'withdrawal', 'delivery', 'other')),
  symbol text,
  -- Zero for a fee in coins.
  amount_micro bigint not null,
  -- What it was paid for, without its sign, in natural units. Of a fee in coins: what was taken, to the last decimal.
  units numeric,
  -- The broker's day.
  date date not null,
  -- Of a fee for trades: what it is charged by. Null where the broker does not say.
  charged_by text check (charged_by in ('worth', 'units')),
  -- Trading clock.
  seen_at timestamptz not null,
  -- opening: part of the cash at the opening. owner: a movement of the owner. event: a figure for an event of holdings.
  -- open: people must say what it is.
  verdict text not null check (verdict in ('opening', 'owner', 'event', 'open')),
  -- The session of that event.
  session_date date,
  constraint moves_something check (amount_micro <> 0 or (kind = 'coin_fee' and units <> 0)),
  constraint event_has_session check ((verdict = 'event') = (session_date is not null)),
  primary key (account_id, activity_id)
);
create index cash_activities_of_events on cash_activities (account_id, session_date) where verdict = 'event';
create function guard_cash_activity() returns trigger language plpgsql as $$
declare
  judged text[] := '{verdict,session_date}';
begin
  if tg_op = 'DELETE' or old.verdict <> 'open' or to_jsonb(old) - judged <> to_jsonb(new) - judged then
    raise exception 'an activity of a broker is never changed, and attributed once';
  end if;
  return new;
end $$;
create trigger cash_activities_guarded before update or delete on cash_activities
  for each row execute function guard_cash_activity();

-- What a broker's figure changed of our estimate for one event and deployment, or its part of the fees of a day's trades; the
-- ledger has the same amount.
create table stated_changes (
  deployment_id uuid not null references deployments,
  -- Empty for fees of all instruments.
  symbol text not null,
  kind text not null check (kind in ('dividend', 'swap', 'delivery', 'trading_fee')),
  -- The session of the event.
  date date not null,
  number integer not null check (number > 0),
  change_micro bigint not null check (change_micro <> 0),
  -- Trading clock.
  at timestamptz not null,
  booking_place bigint not null default nextval('booking_places'),
  primary key (deployment_id, symbol, kind, date, number)
);
create trigger stated_changes_append_only before update or delete on stated_changes
  for each row execute function refuse_change();
