-- The operators' data: settings, heartbeats, kill switches, liquidation requests, unconfirmed orders, and differences
-- between a broker's books and ours with their adjustments.
create table settings (
  key text primary key,
  value jsonb not null
);

create table heartbeats (
  process text primary key,
  beat_at timestamptz not null,
  -- Trading clock at that moment.
  market_at timestamptz,
  details jsonb not null default '{}'
);

-- How long each stage of the chain from a close to a fill took, as a histogram that only grows: see records/operations.
create table chain_latencies (
  stage text primary key,
  -- One for each upper bound, and one for what took longer.
  counts bigint[] not null,
  seconds double precision not null
);

create table kill_switches (
  id uuid primary key,
  -- 'own' is the client's: it halts the same as 'client', and only the client lifts it.
  scope text not null check (scope in ('global', 'broker', 'strategy', 'client', 'deployment', 'own')),
  -- Id of the broker, strategy, user or deployment; null for the global one.
  target uuid check ((scope = 'global') = (target is null)),
  -- Whether working orders are cancelled too.
  cancels_working boolean not null,
  -- The end of a sentence; the owners of deployments read it.
  because text not null,
  set_by text not null,
  set_at timestamptz not null default clock_timestamp(),
  lifted_by text,
  lifted_at timestamptz,
  check ((lifted_by is null) = (lifted_at is null))
);
create unique index kill_switches_once on kill_switches (scope, target) nulls not distinct where lifted_at is null;

-- Requests to support to liquidate, and their outcome.
create table liquidation_requests (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  -- withdrawn: by its owner, before support had decided.
  status text not null default 'open' check (status in ('open', 'approved', 'declined', 'withdrawn')),
  -- Trading clock.
  requested_at timestamptz not null,
  -- By when support has promised to decide.
  decide_by timestamptz not null default clock_timestamp() + interval '1 day',
  decided_at timestamptz,
  decided_by uuid references users,
  reason text check ((status = 'declined') = (reason is not null)),
  created_at timestamptz not null default now(),
  check ((status = 'open') = (decided_at is null))
);
create unique index liquidation_requested_once on liquidation_requests (deployment_id) where status = 'open';
create index liquidation_requests_open on liquidation_requests (created_at) where status = 'open';

-- A person's decision about an order whose fate the broker does not report.
create table order_resolutions (
  order_id uuid primary key references orders,
  -- never_arrived: it never became an order at the broker. arrived: it is the broker's order with this id.
  verdict text not null check (verdict in ('never_arrived', 'arrived')),
  broker_order_id text check ((verdict = 'arrived') = (broker_order_id is not null)),
  because text not null,
  decided_by text not null,
  decided_at timestamptz not null default clock_timestamp(),
  carried_out_at timestamptz
);

-- The desk's view of an account.
create table reconciliation_breaks (
  id uuid primary key default gen_random_uuid(),
  account_id text not null,
  symbol text not null,
  -- Signed: total of all our deployments; traded there externally as the broker reports; held as the broker reports.
  ours numeric not null,
  external numeric not null,
  theirs numeric not null,
  since timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  -- unexplained: the broker's holding differs from books plus external trades; for the other kinds the two are equal.
  -- external_trade: units that the owner traded externally out of the deployments' holdings there. shortfall: what the
  -- account is short of since its broker reversed purchases.
  kind text not null default 'unexplained' check (kind in ('unexplained', 'external_trade', 'shortfall')),
  -- Signed, null for unexplained: the units that the books of deployments take in to close it; for a shortfall the units
  -- that the account is short of.
  units numeric check (units <> 0),
  -- For external trades: the average price of the latest trades that make it up, and the market time of the last one.
  price numeric check (price > 0),
  traded_at timestamptz,
  constraint differs_as_its_kind
    check ((kind = 'unexplained') = (theirs <> ours + external) and (kind = 'unexplained') = (units is null))
);
create unique index reconciliation_breaks_once on reconciliation_breaks (account_id, symbol, kind) where ended_at is null;

-- What an account holds beside our books, when that was last known for certain: no order could change it then.
create table holdings_beside (
  account_id text not null,
  symbol text not null,
  -- Signed.
  quantity numeric not null,
  noted_at timestamptz not null default clock_timestamp(),
  primary key (account_id, symbol)
);

-- Manual adjustments of the books: a person's proposal for a difference or a held execution, another person's decision,
-- and the trader's booking.
create table adjustments (
  id uuid primary key,
  account_id text not null,
  -- The connection whose worker books it.
  connection_id uuid not null references broker_connections,
  -- The subject: a difference or a held execution, as seen when it was proposed.
  break_id uuid references reconciliation_breaks,
  execution_id text,
  seen text not null,
  -- adjustment: of the books of one deployment. external: traded externally, belongs to no deployment.
  closes_as text not null check (closes_as in ('adjustment', 'external')),
  deployment_id uuid references deployments,
  symbol text not null,
  -- A booked execution that this adjustment undoes.
  undoes_execution text,
  -- Signed: the units booked, or counted as traded externally.
  units numeric not null,
  -- In the quote currency.
  price numeric check (price > 0),
  commission_micro bigint not null default 0,
  because text not null,
  proposed_by uuid not null references users,
  -- Real clock, except applied_at.
  proposed_at timestamptz not null default clock_timestamp(),
  status text not null default 'open' check (status in ('open', 'approved', 'declined', 'void', 'applied')),
  decided_by uuid references users,
  decided_at timestamptz,
  -- Why it was declined or voided.
  outcome text,
  ended_at timestamptz,
  -- The trader's booking, and its time by the trading clock.
  applied_at timestamptz,
  net_units numeric,
  cash_micro bigint,
  realized_micro bigint,
  net_commission_micro bigint,
  -- Profit realised by the new execution, for a later adjustment that undoes it.
  booked_profit_micro bigint,
  -- Change of the filled quantity of the order whose execution was undone, in units before any later split.
  order_id uuid references orders,
  filled_change numeric,
  -- The text that its owner reads.
  explanation text,
  constraint four_eyes check (status not in ('approved', 'applied')
    or (decided_by is not null and decided_by <> proposed_by)),
  constraint answers_one_thing check ((break_id is null) <> (execution_id is null)),
  constraint of_a_deployment check ((closes_as = 'adjustment') = (deployment_id is not null)),
  constraint books_something check (closes_as = 'external' or units <> 0 or undoes_execution is not null),
  constraint has_a_price check (closes_as = 'external' or units = 0 or price is not null),
  constraint applied_whole check ((status = 'applied') = (applied_at is not null)),
  foreign key (account_id, execution_id) references broker_inbox
);
create unique index adjustments_of_break on adjustments (break_id) where status in ('open', 'approved');
create unique index adjustments_of_execution on adjustments (account_id, execution_id)
  where status in ('open', 'approved', 'applied');
create unique index adjustments_undo_once on adjustments (account_id, undoes_execution)
  where status in ('open', 'approved', 'applied');
create index adjustments_to_apply on adjustments (connection_id) where status = 'approved';
create index adjustments_of_order on adjustments (order_id) where order_id is not null;
create index adjustments_of_deployment on adjustments (deployment_id, applied_at desc) where status = 'applied';
-- A decision never changes the proposal, and an ended adjustment is final.
create function guard_adjustment() returns trigger language plpgsql as $$
declare
  life text[] := '{status,decided_by,decided_at,outcome,ended_at,applied_at,net_units,cash_micro,realized_micro,net_commission_micro,booked_profit_micro,order_id,filled_change,explanation}';
begin
  if tg_op = 'DELETE' or old.status in ('declined', 'void', 'applied')
    or to_jsonb(old) - life <> to_jsonb(new) - life
    or (new.status <> old.status and not (old.status, new.status) in (('open', 'approved'), ('open', 'declined'),
      ('open', 'void'), ('approved', 'declined'), ('approved', 'void'), ('approved', 'applied'))) then
    raise exception 'an adjustment of the books is decided once, and as it was proposed';
  end if;
  return new;
end $$;
create trigger adjustments_guarded before update or delete on adjustments
  for each row execute function guard_adjustment();

-- Support's decisions about permanently failed background jobs; the jobs themselves are in the queue.
create table dead_letter_decisions (
  -- The job's id among the dead letters.
  id uuid primary key,
  queue text not null,
  -- The id of the record that the job was about.
  about uuid,
  code text not null,
  decision text not null check (decision in ('retry', 'discard')),
  decided_by uuid not null references users,
  decided_at timestamptz not null default clock_timestamp()
);

-- What one person of staff proposes and another decides: whatever ends a protection, changes what everybody trades or brings
-- into the books what no broker reported. Bound to what they saw: of anything else it says nothing.
create table proposals (
  id uuid primary key,
  -- ignore_row: the row is not ours. state_commission: the figure of the broker's confirmation. acknowledge: the position may
  -- stay without its stop until a date. release: the quarantine of a deployment ends. explain_cash: what moved unexplained cash.
  -- lift_halt, cancel_orders: of a kill switch. liquidate: what its owner asked for. resolve_order: the fate of an unconfirmed order.
  -- close_unpaid: what a client who does not pay runs is paused. refund: a payment is given back.
  -- publish, retire: a strategy of the catalogue. rebuild_books: the stored figures of a deployment become what its executions
  -- make of them. require_signature: the newest version of the agreement must be signed by a day.
  -- hide_figures, show_figures: of hypothetical performance, for an audience.
  action text not null check (action in ('ignore_row', 'state_commission', 'acknowledge', 'release', 'rebuild_books',
    'explain_cash', 'lift_halt', 'cancel_orders', 'liquidate', 'resolve_order', 'publish', 'retire', 'require_signature',
    'hide_figures', 'show_figures', 'close_unpaid', 'refund')),
  -- Null where it is about no account.
  account_id text,
  -- The list and key of the row, the execution, the deployment and the instrument, or the id of what it is about.
  subject text not null,
  -- The hash of the row, the revision of the booked commission, the position and why it has no stop, the unexplained amount: what
  -- its subject was when it was proposed.
  seen text not null,
  amount_micro bigint check ((amount_micro is not null) = (action in ('state_commission', 'explain_cash', 'refund'))),
  cause text check ((cause is not null) = (action = 'explain_cash'))
    check (cause in ('deposit', 'withdrawal', 'dividend', 'interest', 'fee', 'apart')),
  -- Real clock.
  until timestamptz check (action = 'retire' or (until is not null) = (action in ('acknowledge', 'require_signature'))),
  -- The order that it is at the broker; null: it never became one.
  broker_order_id text check (broker_order_id is null or action = 'resolve_order'),
  because text not null,
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  -- void: what they saw has changed before it was decided or carried out. over: it is carried out, or has ended.
  status text not null default 'open' check (status in ('open', 'approved', 'declined', 'void', 'over')),
  decided_by uuid references users,
  decided_at timestamptz,
  -- Why it was declined, or what the person who approved publishing looked at.
  outcome text,
  constraint four_eyes check (status not in ('approved', 'over') or (decided_by is not null and decided_by <> proposed_by))
);
create unique index proposals_open on proposals (action, account_id, subject) nulls not distinct where status = 'open';
create index proposals_approved on proposals (account_id, action, subject) where status = 'approved';
create function guard_proposal() returns trigger language plpgsql as $$
declare
  life text[] := '{status,decided_by,decided_at,outcome}';
begin
  if tg_op = 'DELETE' or to_jsonb(old) - life <> to_jsonb(new) - life
    or not (old.status = 'open' or (old.status = 'approved' and new.status in ('void', 'over')
      and new.decided_by = old.decided_by)) then
    raise exception 'a proposal is decided once, and as it was proposed';
  end if;
  return new;
end $$;
create trigger proposals_guarded before update or delete on proposals
  for each row execute function guard_proposal();

-- A person's wish that a stop is tried again at once after this refused one.
create table stop_retries (
  order_id uuid primary key references orders,
  because text not null,
  asked_by uuid not null references users,
  asked_at timestamptz not null default clock_timestamp()
);
create trigger stop_retries_append_only before update or delete on stop_retries
  for each row execute function refuse_change();

-- What support knows about a client, for the next person who looks: kept as written.
create table client_notes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  note text not null,
  written_by uuid not null references users,
  written_at timestamptz not null
);
create index client_notes_of on client_notes (user_id, written_at desc);
create function guard_client_note() returns trigger language plpgsql as $$
begin
  raise exception 'a note is not changed';
end $$;
create trigger client_notes_guarded before update on client_notes
  for each row execute function guard_client_note();
