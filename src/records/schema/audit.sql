-- The audit log: who did what to deployments, orders, permissions and settings, written by the database itself in the
-- same transaction, each row sealed over the one before it. And the auditor's views.
create table audit_log (
  seq bigint primary key,
  at timestamptz not null,
  -- 'trader', 'client:<user>', 'staff:<e-mail>' or 'system'.
  actor text not null,
  action text not null,
  subject text not null,
  -- JSON, as text: the hash covers these exact characters.
  details text not null,
  previous_hash text not null,
  hash text not null unique
);
create index audit_log_of_subject on audit_log (subject, seq);
create index audit_log_of_actor on audit_log (actor, seq);
create index audit_log_of_action on audit_log (action text_pattern_ops, seq);
create index audit_log_in_time on audit_log (at);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_change();
-- Signed heads of the log, numbered without gaps. What counts are their copies outside of the database.
create table audit_anchors (
  number bigint primary key,
  -- JSON with its signature: see processes/anchors.
  line text not null,
  anchored_at timestamptz not null,
  posted_at timestamptz,
  mailed_at timestamptz
);
create trigger audit_anchors_never_emptied before delete on audit_anchors
  for each row execute function refuse_change();
create index audit_anchors_unposted on audit_anchors (number) where posted_at is null;
create index audit_anchors_mailed on audit_anchors (mailed_at) where mailed_at is not null;
-- Entries of a transaction until it commits.
create table audit_queue (
  id bigint generated always as identity primary key,
  actor text not null,
  action text not null,
  subject text not null,
  details text not null
);
-- Runs at commit, so that the end of the chain is locked no longer than that.
create function seal_audit_row() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  head record;
  sealed_at timestamptz;
  number bigint;
  said text;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit log', 0));
  select seq, hash into head from audit_log order by seq desc limit 1;
  number := coalesce(head.seq, 0) + 1;
  sealed_at := clock_timestamp();
  said := concat_ws(E'\n', coalesce(head.hash, repeat('0', 64)), number::text,
    to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    new.actor, new.action, new.subject, new.details);
  insert into audit_log (seq, at, actor, action, subject, details, previous_hash, hash)
  values (number, sealed_at, new.actor, new.action, new.subject, new.details,
    coalesce(head.hash, repeat('0', 64)), encode(sha256(convert_to(said, 'UTF8')), 'hex'));
  delete from audit_queue where id = new.id;
  return null;
end $$;
create constraint trigger audit_queue_sealed after insert on audit_queue
  deferrable initially deferred for each row execute function seal_audit_row();
create function write_audit(default_actor text, action text, subject text, details jsonb) returns void
  language sql as $$
  insert into audit_queue (actor, action, subject, details)
  values (coalesce(nullif(current_setting('bellwether.actor', true), ''), default_actor), action, subject,
    -- By which key of the person, where a program asked.
    (details || case when current_setting('bellwether.api_key', true) <> ''
      then jsonb_build_object('api_key', current_setting('bellwether.api_key', true)) else '{}' end)::text);
$$;
-- Only these functions write the log, with the rights of its owner: the roles of the product have none to.
revoke execute on function write_audit(text, text, text, jsonb) from public;
-- That staff found, saw or signed out a client: the first two change no row, and sessions are not audited.
create function audit_look(action text, person uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if action not in ('person.found', 'person.viewed', 'person.signed_out') then
    raise exception '% is no look at a person', action;
  end if;
  perform write_audit('system', action, 'person:' || person, '{}');
end $$;
revoke execute on function audit_look(text, uuid) from public;
grant execute on function audit_look(text, uuid) to bellwether_product, bellwether_api;
-- Arguments: the name of the subject, and the columns to log.
create function audit_row() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  shown text[] := string_to_array(tg_argv[1], ' ');
  was jsonb := '{}';
  is_now jsonb := '{}';
  whole jsonb;
begin
  if tg_op <> 'INSERT' then
    whole := to_jsonb(old);
    select coalesce(jsonb_object_agg(key, value), '{}') into was from jsonb_each(whole) where key = any(shown);
  end if;
  if tg_op <> 'DELETE' then
    whole := to_jsonb(new);
    select coalesce(jsonb_object_agg(key, value), '{}') into is_now from jsonb_each(whole) where key = any(shown);
  end if;
  if tg_op = 'UPDATE' then
    if was = is_now then return null; end if;
    select coalesce(jsonb_object_agg(key, value), '{}') into was from jsonb_each(was) where is_now -> key <> value;
    select coalesce(jsonb_object_agg(key, value), '{}') into is_now from jsonb_each(is_now) where was ? key;
  end if;
  perform write_audit(
    coalesce('client:' || (whole ->> 'user_id'), 'system'),
    tg_argv[0] || case tg_op when 'INSERT' then '.created' when 'UPDATE' then '.changed' else '.removed' end,
    tg_argv[0] || ':' || coalesce(whole ->> 'id', whole ->> 'user_id', whole ->> 'key', whole ->> 'connection_id', whole ->> 'order_id',
      whole ->> 'account_id', whole ->> 'dispute_id', whole ->> 'name', ''),
    case tg_op when 'INSERT' then jsonb_build_object('to', is_now) when 'DELETE' then jsonb_build_object('from', was)
      else jsonb_build_object('from', was, 'to', is_now) end);
  return null;
end $$;
-- Orders come by the thousand: one log row per statement, with a digest that proves the list of them.
create function audit_orders_written() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  details jsonb;
begin
  select jsonb_build_object('orders', count(*),
    'deployments', (select count(*) from (select from written group by deployment_id) as named),
    'digest', encode(sha256(convert_to(coalesce(string_agg(
      client_order_id || ' ' || side || ' ' || symbol || ' ' || quantity || ' ' || limit_price || ' ' || status, E'\n'
      order by client_order_id collate "C"), ''), 'UTF8')), 'hex'))
    || case when count(*) <= 20 then jsonb_build_object('ids', jsonb_agg(client_order_id order by client_order_id))
      else '{}' end
  into details from written;
  if (details ->> 'orders')::bigint = 0 then return null; end if;
  perform write_audit('system', 'orders.written', 'orders', details);
  return null;
end $$;
create function audit_orders_moved() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  details jsonb;
begin
  select jsonb_build_object('orders', count(*), 'digest', encode(sha256(convert_to(string_agg(
      concat_ws(' ', n.client_order_id, o.status, n.status, n.broker_order_id), E'\n'
      order by n.client_order_id collate "C"),
      'UTF8')), 'hex'))
    || case when count(*) <= 20 then jsonb_build_object('moves', jsonb_agg(jsonb_build_object(
      'id', n.client_order_id, 'from', o.status, 'to', n.status, 'cause', n.reason_code,
      'about', n.reason_params)
      order by n.client_order_id)) else '{}' end
  into details from was o join written n on n.id = o.id where n.status <> o.status;
  if (details ->> 'orders')::bigint = 0 then return null; end if;
  perform write_audit('system', 'orders.moved', 'orders', details);
  return null;
end $$;

-- Personal data stays out of a log that cannot be erased: people are logged by id.
create trigger audited_insert after insert on orders referencing new table as written
  for each statement execute function audit_orders_written();
create trigger audited_update after update on orders referencing old table as was new table as written
  for each statement execute function audit_orders_moved();
create trigger audited_insert after insert on deployments for each row
  execute function audit_row('deployment', 'user_id strategy_version_id broker_connection_id investment_micro status stop_loss_percentage max_allocation_percent freeze_on_drawdown_percent tripwire_choice');
create trigger audited_update after update on deployments for each row
  when (old.status <> new.status or old.requested_status is distinct from new.requested_status
    or old.stop_loss_percentage <> new.stop_loss_percentage or old.max_allocation_percent <> new.max_allocation_percent
    or old.freeze_on_drawdown_percent <> new.freeze_on_drawdown_percent
    or old.disconnect_minutes <> new.disconnect_minutes or old.disconnect_choice <> new.disconnect_choice
    or old.tripwire_choice <> new.tripwire_choice or old.tripwire_state <> new.tripwire_state)
  execute function audit_row('deployment', 'status reason_code reason_params requested_status stop_loss_percentage max_allocation_percent freeze_on_drawdown_percent disconnect_minutes disconnect_choice tripwire_choice tripwire_state');
create trigger audited after insert or delete on broker_connections for each row
  execute function audit_row('connection', 'user_id broker_id status account_id');
create trigger audited_update after update on broker_connections for each row
  when (old.status <> new.status or old.account_id is distinct from new.account_id
    or old.sealed_credentials is distinct from new.sealed_credentials
    or old.trades_without_market_data <> new.trades_without_market_data)
  execute function audit_row('connection', 'status reason_code reason_said account_id connected_at trades_without_market_data');
create trigger audited after insert or delete on agreements for each row
  execute function audit_row('agreement', 'user_id version provider status document_hash');
create trigger audited_update after update on agreements for each row when (old.status <> new.status)
  execute function audit_row('agreement', 'status sealed_hash signed_at');
create trigger audited after insert or update or delete on agreement_deadlines for each row
  execute function audit_row('agreement_deadline', 'version sign_by');
create trigger audited after insert or update or delete on risk_profiles for each row
  execute function audit_row('risk_profile', 'user_id score risk_score');
create trigger audited after insert on capacity_limits for each row
  execute function audit_row('capacity_limit', 'strategy_id limit_micro set_by');
create trigger audited after insert on claimed_records for each row
  execute function audit_row('claimed_record', 'strategy_id strategy_version_id source kind file_hash first_date last_date imported_by');
create trigger audited_update after update on claimed_records for each row
  execute function audit_row('claimed_record', 'strategy_id ended_as');
create trigger audited after insert on figure_switches for each row
  execute function audit_row('figure_switch', 'status country is_shown');
create trigger audited after insert on attestations for each row
  execute function audit_row('attestation', 'user_id kind basis is_withdrawal rule_version');
create trigger audited after insert on identity_checks for each row
  execute function audit_row('identity_check', 'user_id provider reference status');
create trigger audited_update after update on users for each row
  when (old.role <> new.role or old.country is distinct from new.country or old.disabled_at is distinct from new.disabled_at)
  execute function audit_row('person', 'role country disabled_at');
create trigger audited_insert after insert on users for each row when (new.role <> 'investor')
  execute function audit_row('person', 'role');
create trigger audited after insert or update on staff_invitations for each row
  execute function audit_row('staff_invitation', 'role invited_by status');
create trigger audited after insert or update on deployment_flows for each row
  execute function audit_row('flow', 'deployment_id kind status requested_micro moved_micro value_before_micro reason_code repeats');
create trigger audited after insert or update or delete on liquidation_requests for each row
  execute function audit_row('liquidation_request', 'deployment_id status decided_by reason');
create trigger audited after insert or update or delete on settings for each row
  execute function audit_row('setting', 'key value');
create trigger audited after insert or update or delete on keyring for each row
  execute function audit_row('key', 'kind wrapped_by replaced_at');
create trigger audited_insert after insert on key_checks for each row
  execute function audit_row('key', 'name number check_value');
create trigger audited after insert or update or delete on kill_switches for each row
  execute function audit_row('kill_switch', 'scope target cancels_working because set_by lifted_by');
create trigger audited_update after update on broker_sessions for each row
  when (old.state <> new.state and old.state <> 'reset_window' and new.state <> 'reset_window')
  execute function audit_row('broker_session', 'connection_id state detail');
create trigger audited after insert or update on order_resolutions for each row
  execute function audit_row('order_resolution', 'order_id verdict broker_order_id because decided_by');
create trigger audited_insert after insert on dead_letter_decisions for each row
  execute function audit_row('dead_letter', 'queue about code decision decided_by');
create trigger audited_insert after insert on fee_bills for each row when (new.fee_micro > 0)
  execute function audit_row('fee_bill', 'deployment_id number period_end profit_micro fee_micro high_water_after_micro');
create trigger audited_insert after insert on fee_payments for each row
  execute function audit_row('fee_payment', 'id bill_id amount_micro vendor_reference is_automatic');
create trigger audited after insert or update on refunds for each row
  execute function audit_row('refund', 'charge_id amount_micro because status');
create trigger audited after insert or update on disputes for each row
  execute function audit_row('dispute', 'charge_id amount_micro because status respond_by');
create trigger audited_insert after insert on chargebacks for each row
  execute function audit_row('chargeback', 'dispute_id number charge_id amount_micro credit_micro due_at');
create trigger audited_fee_payment after update on users for each row
  when (old.pays_fees_automatically <> new.pays_fees_automatically)
  execute function audit_row('person', 'pays_fees_automatically');
create trigger audited_fee_period after update on users for each row when (old.fee_period <> new.fee_period)
  execute function audit_row('person', 'fee_period');
create trigger audited after insert or update on reconciliation_breaks for each row
  execute function audit_row('reconciliation_break', 'account_id symbol kind ours external theirs units price ended_at');
create trigger audited after insert or update on adjustments for each row
  execute function audit_row('adjustment', 'account_id break_id execution_id closes_as deployment_id symbol undoes_execution units price commission_micro because status outcome');

create trigger audited after insert on account_openings for each row
  execute function audit_row('account_opening', 'account_id currency cash_micro');
create trigger audited after insert or update on cash_breaks for each row
  execute function audit_row('cash_break', 'account_id currency unexplained_micro date ended_at');

create trigger audited after insert or update on proposals for each row
  execute function audit_row('proposal', 'action account_id subject seen amount_micro cause until broker_order_id because status outcome');
-- Without the name as it was written.
create trigger audited_insert after insert on attack_acceptances for each row
  execute function audit_row('attack_acceptance', 'user_id attack_id verdict');
create trigger audited_insert after insert on incident_notes for each row
  execute function audit_row('incident_note', 'incident_id note whose_move looks_again');
create trigger audited_insert after insert on stop_retries for each row
  execute function audit_row('stop_retry', 'order_id because');

create trigger audited_insert after insert on api_keys for each row
  execute function audit_row('api_key', 'user_id scopes budget_micro acts_per_day expires_at');
create trigger audited_update after update on api_keys for each row when (old.revoked_at is distinct from new.revoked_at)
  execute function audit_row('api_key', 'revoked_at');
create trigger audited_delete after delete on api_keys for each row execute function audit_row('api_key', 'user_id');
create trigger audited_insert after insert on api_key_deployments for each row
  execute function audit_row('api_key_deployment', 'api_key_id deployment_id is_made');
create trigger audited after insert or update on api_key_acts for each row
  execute function audit_row('api_key_act', 'user_id api_key_id call deployment_id amount_micro status');

-- Without its text: it may name what is to be erased with the account.
create trigger audited_insert after insert on client_notes for each row
  execute function audit_row('client_note', 'user_id written_by');

-- What an auditor needs to compute everything again, and no more: no names, addresses, texts, credentials or secrets.
create view audit_deployments as
  select d.id as deployment_id, d.user_id, d.strategy_id, d.broker_connection_id as connection_id, d.mode, d.status,
    d.investment_micro, d.return_base_micro, d.withdrawing_micro, d.cash_micro, d.realized_micro, d.equity_micro, d.high_water_mark_micro, d.deployed_at, d.ended_at,
    d.billed_through, coalesce(d.marked_at, d.deployed_at) as as_of
  from deployments d;
create view audit_orders as
  select o.id as order_id, o.deployment_id, o.broker_connection_id as connection_id, c.account_id, o.client_order_id,
    o.symbol as instrument, o.side, o.quantity, o.status, o.broker_order_id, o.created_at, o.sent_at
  from orders o left join broker_connections c on c.id = o.broker_connection_id;
create view audit_fills as
  select f.execution_id, f.order_id, f.deployment_id, f.account_id, f.symbol as instrument, f.side, f.quantity, f.price,
    f.split_ratio, f.commission_micro, f.realized_micro, i.currency, f.executed_at
  from fills f left join instruments i on i.symbol = f.symbol;
create view audit_positions as
  select p.deployment_id, c.account_id, p.symbol as instrument, p.quantity, p.cost_micro,
    p.cost_micro::numeric / 1000000 / (p.quantity * i.multiplier) as average_cost, p.mark_price, p.current_value_micro,
    p.unrealized_micro, p.marked_at as as_of
  from positions p join deployments d on d.id = p.deployment_id
  left join broker_connections c on c.id = d.broker_connection_id join instruments i on i.symbol = p.symbol;
create view audit_ledger as
  select e.id as entry_id, e.transaction_id, e.ledger_account, e.deployment_id, e.currency, e.amount_micro, t.kind, t.cause, t.at
  from ledger_entries e join ledger_transactions t on t.id = e.transaction_id;
create view audit_flows as
  select w.id as flow_id, w.deployment_id, w.kind, w.status, w.requested_micro, w.moved_micro, w.value_before_micro, w.ended_at as at
  from deployment_flows w;
create view audit_adjustments as
  select k.id as adjustment_id, k.deployment_id, k.connection_id, k.account_id, k.symbol as instrument, k.closes_as,
    k.undoes_execution as undoes_execution_id, k.execution_id, k.units as quantity, k.net_units as net_quantity, k.price,
    k.cash_micro, k.realized_micro, k.net_commission_micro as commission_micro, k.because, k.status, k.proposed_by,
    k.decided_by, k.applied_at
  from adjustments k;
-- Splits, dividends, swaps, expiries, deliveries, fees in coins and adjustments of holdings, each once.
create view audit_position_events as
  select p.id as event_id, p.deployment_id, p.symbol as instrument, p.kind, p.date, p.event, p.entitled, p.realized_micro,
    p.after_entry, p.at, p.execution
  from position_events p;
create view audit_round_trips as
  select r.deployment_id, r.symbol as instrument, r.number, r.side, r.opened_at, r.closed_at, r.quantity, r.entry_price,
    r.exit_price, r.commission_micro, r.income_micro, r.pnl_micro, r.closed_by
  from round_trips r;
create view audit_stated_changes as
  select s.deployment_id, s.symbol as instrument, s.kind, s.date, s.number, s.change_micro, s.at from stated_changes s;
create view audit_instruments as
  select i.symbol as instrument, i.kind, i.currency, i.unit_currency, i.multiplier, i.quantity_step, i.settlement,
    i.calendar, i.expiry
  from instruments i;
create view audit_corporate_actions as
  select a.symbol as instrument, a.ex_date, a.kind, a.amount from corporate_actions a;
-- Of the source that each instrument is traded by.
create view audit_closes as
  select b.symbol as instrument, b.source, b.date, b.opened_at, b.closed_at, b.open, b.high, b.low, b.close, b.volume, b.link, b.seal
  from bars b join instruments i on i.symbol = b.symbol and i.source = b.source where b.interval = '1d';
create view audit_days as
  select m.deployment_id, m.date, m.at, m.cash_micro, m.positions_micro, m.equity_micro, m.held, m.follows from equity_marks m;
create view audit_expected_ranges as
  select e.deployment_id, e.made_at, e.why_none, e.engine_hash, e.input_hash, e.result_hash, e.first_date, e.last_date, e.terms,
    e.record_days, e.range, e.published, d.tripwire_choice, d.tripwire_state, d.tripwire_since, t.judged_until, t.evidence
  from expected_ranges e join deployments d on d.id = e.deployment_id
  left join tripwire_evidence t on t.deployment_id = e.deployment_id;
create view audit_bills as
  select b.id as bill_id, b.deployment_id, b.number, b.is_closing, b.period_start, b.period_end, b.due_at, b.ledger_through,
    b.capital_micro, b.settled_result_micro, b.worth_micro, b.worth_at, b.worth_cash_micro, b.worth_held,
    b.high_water_before_micro, b.net_flow_micro, b.adjusted_mark_micro,
    b.closing_value_micro, b.profit_micro, b.fee_percent, b.fee_micro, b.high_water_after_micro
  from fee_bills b;
create view audit_bill_corrections as
  select c.deployment_id, c.bill_id, c.number, c.ledger_through, c.settled_result_micro, c.closing_value_micro,
    c.profit_micro, c.fee_micro, c.credit_micro, c.at
  from fee_corrections c;
create view audit_bill_payments as
  select p.bill_id, b.deployment_id, b.number, p.amount_micro, p.paid_at from fee_payments p join fee_bills b on b.id = p.bill_id;
-- What banks took back of those payments, less what they gave back after all; and what was refunded.
create view audit_bill_chargebacks as
  select c.bill_id, b.deployment_id, b.number, x.amount_micro, x.at from chargebacks x join charges c on c.id = x.charge_id
  join fee_bills b on b.id = c.bill_id;
create view audit_bill_refunds as
  select c.bill_id, b.deployment_id, b.number, r.amount_micro, r.agreed_at from refunds r join charges c on c.id = r.charge_id
  join fee_bills b on b.id = c.bill_id where r.status <> 'refused';
create view audit_fee_periods as
  select u.id as user_id, u.fee_period from users u;

-- The role of an auditor who reads these views, and can write nothing.
do $$
declare
  views text := (select string_agg(quote_ident(relname), ', ') from pg_class
    where relkind = 'v' and relnamespace = 'public'::regnamespace and starts_with(relname, 'audit_'));
begin
  if not exists (select from pg_roles where rolname = 'auditor') then create role auditor nologin; end if;
  grant usage on schema public to auditor;
  execute format('grant select on audit_log, %s to auditor', views);
  -- npm run audit reads as the auditor.
  grant auditor to bellwether_product;
exception
  -- Another database of the same server created it concurrently; or this account may not create roles: the operator does.
  when duplicate_object or unique_violation then
    grant usage on schema public to auditor;
    execute format('grant select on audit_log, %s to auditor', views);
    grant auditor to bellwether_product;
  when insufficient_privilege then
    raise notice 'the role auditor could not be made: create it, grant it select on the audit views, and grant it to bellwether_product';
end $$;
