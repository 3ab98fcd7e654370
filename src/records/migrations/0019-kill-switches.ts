// What stops trading from outside of a deployment: kill switches, and what is known of each broker session. What a
// person decided about an order whose fate the broker would not tell. And the inbox of what brokers told.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table kill_switches (
  id uuid primary key,
  scope text not null check (scope in ('global', 'broker', 'strategy', 'client')),
  -- Of the broker, the strategy or the user; null for the global one.
  target uuid check ((scope = 'global') = (target is null)),
  -- Whether orders that work at the broker are cancelled too.
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
create trigger audited after insert or update or delete on kill_switches for each row
  execute function audit_row('kill_switch', 'scope target cancels_working because set_by lifted_by');
-- One row per broker connection that the trader has looked at. Real clock.
create table broker_sessions (
  connection_id uuid primary key references broker_connections on delete cascade,
  state text not null check (state in
    ('connected', 'sign_in_due', 'reset_window', 'degraded', 'competing', 'lost', 'read_only')),
  since timestamptz not null,
  -- For operators: what the broker said.
  detail text not null default '',
  -- When a reset is expected to be over; null in the other states.
  until timestamptz,
  -- Trading clock: since when the broker has told nothing that could be relied on, planned resets apart.
  blind_since timestamptz,
  -- The last time that orders, executions and positions were all read and booked.
  reconciled_at timestamptz
);
create trigger audited_update after update on broker_sessions for each row
  when (old.state <> new.state and old.state <> 'reset_window' and new.state <> 'reset_window')
  execute function audit_row('broker_session', 'connection_id state detail');
-- What happens to it when its broker was silent for so many minutes: 'wait' goes on, 'pause' pauses, 'close' closes its
-- positions and ends it, as soon as the broker answers again. 0 minutes: nothing.
alter table deployments add column blind_minutes integer not null default 0 check (blind_minutes between 0 and 10080);
alter table deployments add column blind_choice text not null default 'wait'
  check (blind_choice in ('wait', 'pause', 'close'));
drop trigger audited_update on deployments;
create trigger audited_update after update on deployments for each row
  when (old.status <> new.status or old.wished_status is distinct from new.wished_status
    or old.stop_loss_percent <> new.stop_loss_percent or old.max_allocation_percent <> new.max_allocation_percent
    or old.freeze_on_drawdown_percent <> new.freeze_on_drawdown_percent
    or old.blind_minutes <> new.blind_minutes or old.blind_choice <> new.blind_choice)
  execute function audit_row('deployment', 'status status_reason wished_status stop_loss_percent max_allocation_percent freeze_on_drawdown_percent blind_minutes blind_choice');
create table order_settlements (
  order_id uuid primary key references orders,
  -- not_there: it never became an order at the broker. is_there: it is the broker's order of this id.
  verdict text not null check (verdict in ('not_there', 'is_there')),
  broker_order_id text check ((verdict = 'is_there') = (broker_order_id is not null)),
  because text not null,
  decided_by text not null,
  decided_at timestamptz not null default clock_timestamp(),
  carried_out_at timestamptz
);
create trigger audited after insert or update on order_settlements for each row
  execute function audit_row('order_settlement', 'order_id verdict broker_order_id because decided_by');
create table broker_inbox (
  account_id text not null,
  execution_id text not null,
  connection_id uuid not null references broker_connections,
  -- The execution as the adapter read it.
  told jsonb not null,
  received_at timestamptz not null default clock_timestamp(),
  -- Booked, or kept apart as external. Null while it is held, with why.
  settled_at timestamptz,
  held text,
  primary key (account_id, execution_id)
);
create index broker_inbox_open on broker_inbox (connection_id) where settled_at is null;
create index audit_log_of_subject on audit_log (subject, seq);
`)
    .execute(database);
}
