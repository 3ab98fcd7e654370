-- Deployments with their targets, orders, fills, positions and corporate actions; and which trader holds them.
create table deployments (
  id uuid primary key,
  user_id uuid not null references users,
  strategy_id uuid not null references strategies,
  strategy_version_id uuid not null references strategy_versions,
  broker_connection_id uuid not null references broker_connections,
  status text not null check (status in
    ('pending', 'active', 'paused', 'frozen', 'stopping', 'liquidating', 'liquidated', 'stopped', 'failed')),
  -- Why it is in its state, or not yet in the requested one: see engine/lifecycle/status-reason.ts.
  reason_code text check (reason_code in ('broker_not_connected', 'agreement_not_signed', 'risk_profile_missing',
    'not_suitable', 'fee_unpaid', 'cash_not_reported', 'cash_not_enough', 'awaits_capacity', 'paused', 'closing', 'drawdown_limit', 'quarantined')),
  reason_params jsonb,
  -- The requested state that the trader has not carried out yet.
  requested_status text check (requested_status in ('active', 'paused', 'stopped', 'liquidated')),
  -- The account's cash was not known when it was made: the trader checks it before the first order.
  awaits_cash boolean not null default false,
  -- Put in less taken out: below zero once more was taken out than was put in.
  investment_micro bigint not null,
  -- What withdrawals ask for that are not done yet: positions are sized without it. See flows.sql.
  withdrawing_micro bigint not null default 0 check (withdrawing_micro >= 0),
  -- The value at which the time-weighted return is zero: the amount at the start, and moved in proportion by each flow.
  return_base_micro bigint not null check (return_base_micro > 0),
  stop_loss_percentage numeric not null,
  max_allocation_percent numeric not null,
  freeze_on_drawdown_percent numeric not null,
  -- Kept equal to the ledger; see the verify command.
  cash_micro bigint not null,
  realized_micro bigint not null default 0,
  equity_micro bigint not null,
  peak_equity_micro bigint not null,
  high_water_mark_micro bigint not null,
  frozen_at timestamptz,
  -- When its owner last ended a freeze, from which day on its peak counts.
  freeze_lifted_at timestamptz,
  -- {symbol: 'long' | 'short'}: see DeploymentState.stoppedOut
  stopped_out jsonb not null default '{}',
  applied_target_id uuid,
  -- Grows with each change; a writer that read an older one must re-read.
  revision bigint not null default 0,
  -- Trading clock, these three.
  deployed_at timestamptz not null,
  marked_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  -- Disconnect policy after so many minutes of broker silence: 'wait' continues, 'pause' pauses, 'close' closes its
  -- positions and ends it, as soon as the broker answers again. 0 minutes: no policy.
  disconnect_minutes integer not null default 0 check (disconnect_minutes between 0 and 10080),
  disconnect_choice text not null default 'wait' check (disconnect_choice in ('wait', 'pause', 'close')),
  -- What its owner wants once its live returns have proved worse than the published ones, the state of that test, and since when:
  -- trading clock, null while it has always been green. See engine/risk/tripwire.ts.
  tripwire_choice text not null default 'notify' check (tripwire_choice in ('notify', 'exits_only', 'halve')),
  tripwire_state text not null default 'green' check (tripwire_state in ('green', 'amber', 'red')),
  tripwire_since timestamptz,
  -- The end of the last billed period, by the trading clock; null before the first.
  billed_through timestamptz,
  -- With the key below: orders of a practice deployment can go to the practice venue alone, and no others go there.
  mode text not null default 'real' check (mode in ('practice', 'real')),
  foreign key (broker_connection_id, mode) references broker_connections (id, mode),
  -- The real deployment beside which this practice one goes on.
  shadow_of uuid unique references deployments,
  check (shadow_of is null or mode = 'practice')
) with (fillfactor = 60);
create index deployments_of_user on deployments (user_id, deployed_at desc);
create index deployments_trading on deployments (strategy_version_id, id)
  where status in ('pending', 'active', 'frozen', 'stopping', 'liquidating', 'paused');
create index deployments_to_close on deployments (id)
  where ended_at is not null and billed_through is distinct from ended_at;

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
  -- Trading clock.
  opened_at timestamptz not null,
  marked_at timestamptz not null,
  primary key (deployment_id, symbol)
) with (fillfactor = 60);

create table equity_marks (
  deployment_id uuid not null references deployments,
  date date not null,
  -- Trading clock.
  at timestamptz not null,
  cash_micro bigint not null,
  positions_micro bigint not null,
  equity_micro bigint not null,
  -- Close of the strategy's benchmark that day, in its own units.
  benchmark numeric,
  -- What was held, and the price of each: {symbol: {units, price}}. Anyone can value the day again.
  held jsonb not null default '{}',
  -- Whether it followed its strategy in full then: the next day tells whether the strategy does what its record did.
  follows boolean not null default false,
  primary key (deployment_id, date)
);

-- The last valuation before the end of a fee period, where the row of its trading day was written again after it: a day of a market
-- goes on past midnight UTC, at weekends until the next session. The bill of the period reads it.
create table cut_off_marks (
  deployment_id uuid not null references deployments,
  -- Trading clock.
  at timestamptz not null,
  cash_micro bigint not null,
  equity_micro bigint not null,
  held jsonb not null,
  primary key (deployment_id, at)
);
create function keep_cut_off_mark() returns trigger language plpgsql as $$
begin
  insert into cut_off_marks (deployment_id, at, cash_micro, equity_micro, held)
  values (old.deployment_id, old.at, old.cash_micro, old.equity_micro, old.held) on conflict do nothing;
  return new;
end $$;
-- Periods end on Mondays and on the first of a month, at midnight UTC: see rules/fees/fee-period.ts.
create trigger equity_marks_at_cut_offs before update on equity_marks for each row
  when (old.at < new.at
    and old.at <= greatest(date_trunc('week', new.at, 'UTC'), date_trunc('month', new.at, 'UTC'))
    and new.at > greatest(date_trunc('week', new.at, 'UTC'), date_trunc('month', new.at, 'UTC')))
  execute function keep_cut_off_mark();

-- One evaluation of one strategy version at one close, shared by all its deployments.
create table targets (
  id uuid primary key,
  strategy_version_id uuid not null references strategy_versions,
  -- Trading clock.
  as_of timestamptz not null,
  weights jsonb not null,
  rebalance boolean not null,
  -- 1, 2, 3 of those that ask to trade, of one version: the orders of its clients leave by it, see engine/order/rotation.ts.
  turn integer check ((turn is not null) = rebalance and turn > 0),
  receipt jsonb not null,
  hash text not null,
  created_at timestamptz not null default now(),
  fanned_out_at timestamptz,
  unique (strategy_version_id, as_of)
);
create index targets_to_fan_out on targets (as_of) where fanned_out_at is null;

-- The hottest write of all. A row's own foreign key costs more than the row, so none is declared: the reference to
-- deployments is checked once for all rows of a statement (orders_of_deployments_insert); connection, target and
-- instrument are copied from rows that are referenced there and never deleted. Orders of a target are found by its
-- time, and the open orders of a deployment through its connection.
create table orders (
  id uuid primary key,
  deployment_id uuid not null,
  broker_connection_id uuid not null,
  -- The hash of deployment, cause, symbol, purpose and attempt.
  client_order_id text not null unique,
  target_id uuid,
  cause text not null,
  purpose text not null check (purpose in ('rebalance', 'stop_loss', 'liquidation', 'margin_call', 'protective')),
  attempt integer not null,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  quantity numeric not null check (quantity > 0),
  limit_price numeric not null,
  reference_price numeric not null,
  -- intended: written, not sent. sending: in-flight, outcome not known yet. unknown: quarantined.
  status text not null check (status in
    ('intended', 'sending', 'working', 'filled', 'cancelled', 'rejected', 'expired', 'withdrawn', 'unknown')),
  filled_quantity numeric not null default 0 check (filled_quantity <= quantity),
  filled_value_micro bigint not null default 0,
  realized_micro bigint not null default 0,
  broker_order_id text,
  -- Whether the broker shows it: see engine/execution/orders/visibility.ts. Never a reason to end it.
  visibility text not null default 'never_shown' check (visibility in ('never_shown', 'shown', 'shown_earlier')),
  -- The broker's clock: since when each look has shown that the account holds what it would without the order.
  absent_since timestamptz,
  -- Times that it could not be sent, and the real time of the last one.
  send_tries integer not null default 0,
  send_tried_at timestamptz check ((send_tried_at is null) = (send_tries = 0)),
  -- Requests to cancel it, and the real time of the last one.
  cancel_tries integer not null default 0,
  cancel_tried_at timestamptz check ((cancel_tried_at is null) = (cancel_tries = 0)),
  -- Ticks since the first request whose look at the broker did not show its end, as far as they are counted.
  cancel_looks integer not null default 0,
  -- Percent, for a stop loss: the limit at the time of the decision.
  stop_loss_percentage numeric,
  -- Trading clock, these four. When the price behind the decision was current; null for a stop.
  priced_at timestamptz,
  decided_at timestamptz not null,
  sent_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  -- Why it waits, its special state at the broker, or why it ended: see OrderReason. Not a sentence.
  reason_code text check (reason_code in (
    'position_order_first', 'stop_not_cancelled', 'stop_not_confirmed', 'opposite_order', 'exit_first', 'call_first',
    'quantity_not_available', 'instrument_unsure', 'order_lost', 'not_sent', 'checks_expired', 'no_current_price', 'price_doubted',
    'trading_halted',
    'account_restricted',
    'cancel_requested', 'cancel_not_confirmed', 'parked', 'fill_begun', 'no_answer', 'executions_missing', 'not_listed', 'paused',
    'paused_or_ended', 'deployment_stopped', 'frozen', 'agreement_not_signed', 'not_suitable', 'fee_unpaid', 'below_record', 'nothing_to_close',
    'position_changed', 'position_corrected', 'stop_filled_first', 'target_superseded', 'instrument_removed',
    'day_over_unsent', 'price_too_old', 'resized', 'cancelled', 'rejected', 'expired', 'not_confirmed', 'never_shown',
    'day_over', 'resolved_by_staff', 'fill_corrected')),
  -- The facts of the code, by field; null when it has none.
  reason_params jsonb,
  -- Real clock: since when every look has found this code.
  reason_since timestamptz,
  -- Real clock. An earlier decision was about an earlier silence, and settles nothing.
  unknown_since timestamptz,
  constraint reason_has_a_code check ((reason_code is null) = (reason_since is null)
    and (reason_params is null or reason_code is not null))
);
create index orders_of_deployment on orders (deployment_id, decided_at desc);
create index orders_open on orders (broker_connection_id) where status in ('intended', 'sending', 'working', 'unknown');
-- A broker's report names the broker's order. Indexed once an order has reached the broker, not with the intent.
create index orders_by_broker_id on orders (broker_connection_id, broker_order_id) where broker_order_id is not null;
-- Exits are counted by deployment at each decision; working protective stops are not among them.
create index exit_orders on orders (deployment_id) where purpose <> 'rebalance' and purpose <> 'protective';
create unique index one_protective_order on orders (deployment_id, symbol)
  where purpose = 'protective' and status in ('intended', 'sending', 'working', 'unknown');
create index protective_orders on orders (deployment_id, symbol) where purpose = 'protective';

create function refuse_orders_of_nobody() returns trigger language plpgsql as $$
declare
  named uuid[] := array(select deployment_id from written group by deployment_id);
begin
  if (select count(*) from deployments where id = any(named)) < cardinality(named) then
    raise exception 'an order names a deployment that is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger orders_of_deployments_insert after insert on orders referencing new table as written
  for each statement execute function refuse_orders_of_nobody();
create function refuse_moved_orders() returns trigger language plpgsql as $$
begin
  raise exception 'order % stays with its deployment', old.id using errcode = 'foreign_key_violation';
end $$;
create trigger orders_stay before update of deployment_id on orders for each row
  when (old.deployment_id <> new.deployment_id) execute function refuse_moved_orders();
-- A deployment is never deleted, so its orders need no lock to keep it.
create function refuse_orphans() returns trigger language plpgsql as $$
begin
  raise exception 'deployment % stays: it ends, and is never removed', old.id using errcode = 'foreign_key_violation';
end $$;
create trigger orders_keep_deployments before delete or update of id on deployments for each row
  execute function refuse_orphans();
create function refuse_moved_deployments() returns trigger language plpgsql as $$
begin
  if exists (select from orders where deployment_id = old.id) then
    raise exception 'deployment % stays with its connection: it has orders there', old.id
      using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger deployments_stay before update of broker_connection_id on deployments for each row
  when (old.broker_connection_id <> new.broker_connection_id) execute function refuse_moved_deployments();

-- Rises with everything that is booked for a deployment: whoever books holds the lock of its row.
create sequence booking_places;
create table fills (
  execution_id text not null,
  account_id text not null,
  order_id uuid not null references orders,
  deployment_id uuid not null references deployments,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  quantity numeric not null check (quantity > 0),
  price numeric not null check (price > 0),
  -- What the execution costs as far as known, negative for a rebate: our estimate while it is provisional, then the
  -- broker's figure. The ledger has each change as a transaction of its own.
  commission_micro bigint not null,
  is_provisional boolean not null default false,
  -- How many ledger transactions have changed the commission.
  commission_revision integer not null default 0,
  realized_micro bigint not null,
  -- Trading clock.
  executed_at timestamptz not null,
  booked_at timestamptz not null default now(),
  -- The transaction that wrote it, so that the stream finds new rows without missing late commits: every transaction
  -- before the oldest running one is over.
  written_in xid8 not null default pg_current_xact_id(),
  -- Units, as of its booking day, per unit of an execution. Quantity and price stay the broker's own.
  split_ratio numeric not null default 1 check (split_ratio > 0),
  booking_place bigint not null default nextval('booking_places'),
  primary key (account_id, execution_id)
);
create index fills_of_deployment on fills (deployment_id, executed_at desc);
create index fills_in_order on fills (deployment_id, symbol, booking_place);
create index fills_by_time on fills using brin (executed_at);
create index fills_by_transaction on fills (written_in);
create index fills_provisional on fills (deployment_id) where is_provisional;
-- A fill stays as booked, except for a commission that the broker states later.
create function guard_fill() returns trigger language plpgsql as $$
declare
  stated text[] := '{commission_micro,is_provisional,commission_revision}';
begin
  if tg_op = 'DELETE' or to_jsonb(old) - stated <> to_jsonb(new) - stated
    or (new.is_provisional and not old.is_provisional)
    or new.commission_revision - old.commission_revision
      <> (new.commission_micro <> old.commission_micro)::integer then
    raise exception 'a fill is never changed, except for the commission that its broker states later';
  end if;
  return new;
end $$;
create trigger fills_guarded before update or delete on fills for each row execute function guard_fill();

-- Units that count next to our books and belong to no deployment.
create table suspense_entries (
  account_id text not null,
  -- opening: held before the first order of ours. external_trade: an execution at the broker of no order of ours. difference: an unexplained one that two people declared
  -- external. shortfall: what the account is short of since its broker reversed purchases that had been sold.
  -- released: what the books of a deployment took in of external trades. reversed: the other side of an execution that was
  -- revised, as its deployment keeps it. transfer: units of an instrument that no order of
  -- ours was sent for there, which came in or left without an execution. coin_fee: coins of the owner that the broker took as
  -- its fee.
  kind text not null check (kind in ('opening', 'external_trade', 'difference', 'shortfall', 'released', 'reversed', 'transfer', 'coin_fee')),
  -- The broker's id of an external trade, the id of the adjustment that booked it, 'opening:<symbol>',
  -- 'transfer:<symbol>:<time>' or 'coin_fee:<symbol>:<day>:<number>'.
  execution_id text not null,
  symbol text not null,
  side text not null,
  quantity numeric not null,
  price numeric not null,
  -- Trading clock.
  executed_at timestamptz not null,
  -- Of an external trade, as its broker states it; of a shortfall what the broker gave back; null while not known.
  commission_micro bigint,
  primary key (account_id, execution_id, kind)
);

-- What a deployment decided at an event, and why it did not order something; its orders are in orders, under the time of
-- the event. What the strategy's own decision read is in targets, once for all deployments.
create table receipts (
  id bigint generated always as identity primary key,
  deployment_id uuid not null,
  target_id uuid,
  -- Trading clock.
  at timestamptz not null,
  cause text not null,
  refusals jsonb,
  -- Of a target: what the decision was made from. See engine/decision/decision-record.ts.
  decision jsonb
);
-- Receipts are looked up by the time of their event, which is also their physical order.
create index receipts_by_time on receipts using brin (at);
-- Decisions are looked up by deployment: any other receipt is written without touching this index.
create index receipts_of_decisions on receipts (deployment_id, at desc, id desc) where target_id is not null or refusals is not null;

-- Changes of holdings without an order: splits, dividends, swaps, expiries and adjustments, each applied once.
create table position_events (
  id bigint generated always as identity primary key,
  deployment_id uuid not null references deployments,
  symbol text not null,
  kind text not null check (kind in ('split', 'dividend', 'swap', 'expiry', 'exercise', 'assignment', 'coin_fee', 'adjustment')),
  -- The session after whose close it takes effect; of a fee in coins, the day of its purchase in New York.
  date date not null,
  event jsonb not null,
  -- The holding at that close, in natural units: the base of the event. Of a fee in coins, the change of the holding.
  entitled numeric not null,
  realized_micro bigint not null,
  -- The newest ledger entry of the deployment before it: a replay of the books applies it right after that entry.
  after_entry bigint not null,
  -- Trading clock.
  at timestamptz not null,
  -- The late execution for which this row makes up the event, as account and id; empty for the event of the session
  -- itself. For an adjustment, and the dividends that it changes: the id of its proposal. For a fee in coins: the execution,
  -- and the number of the change. For an assignment that the broker lists: its id there.
  execution text not null default '',
  booking_place bigint not null default nextval('booking_places'),
  -- The position just before it, and what that had cost in the quote currency.
  held numeric not null default 0,
  cost_micro bigint not null default 0,
  constraint position_events_once unique (deployment_id, symbol, kind, date, execution),
  constraint only_payments_are_made_up_for check (execution = '' or kind in ('dividend', 'swap', 'coin_fee', 'adjustment', 'assignment'))
);
create index position_events_in_order on position_events (deployment_id, symbol, booking_place);
create index deliveries_of_underlying on position_events (deployment_id, (event ->> 'underlying'), booking_place)
  where kind in ('exercise', 'assignment');
create unique index adjustments_once on position_events (execution) where kind = 'adjustment';
create index coin_fees_of_fills on position_events ((event ->> 'fill')) where kind = 'coin_fee';
create index adjustments_by_time on position_events (at) where kind = 'adjustment';
create trigger position_events_append_only before update or delete on position_events
  for each row execute function refuse_change();

-- Work is divided by shard: a broker connection and its deployments belong to one of 64, and each shard to at most one
-- trader at a time. The shard is the last byte of the id: random in every UUID version that we generate, and computed by
-- the trader in the same way. All times of these two tables are the database's own clock.
create function shard_of(connection uuid) returns integer
  language sql immutable parallel safe return get_byte(uuid_send(connection), 15) & 63;

create table traders (
  id uuid primary key,
  -- An advisory lock that the trader's own connection holds: free means the trader is gone.
  lock_key bigint not null unique,
  expires_at timestamptz not null,
  started_at timestamptz not null default clock_timestamp()
);

create table trading_shards (
  -- 0 to 63; 64 is the market: bars and evaluations, done once for all users.
  shard integer primary key,
  holder uuid,
  -- Grows with every change of holder. A transaction that holds a key-share lock of the row with its own fence cannot
  -- be overtaken; renewals, which do not change the key, do not wait for it.
  fence bigint not null default 0,
  expires_at timestamptz not null default clock_timestamp(),
  unique (shard, fence)
);
insert into trading_shards (shard) select generate_series(0, 64);

-- The last session whose end of day has been processed, for each exchange calendar and shard.
create table processed_sessions (
  calendar text not null,
  date date not null,
  shard integer not null,
  primary key (calendar, shard)
);
