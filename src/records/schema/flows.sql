-- Money that a person adds to a deployment, or withdraws from it, after its start: a request, and what became of it. Nothing moves at
-- the broker: cash of the account belongs to the deployment afterwards, or to its owner alone again.
create table deployment_flows (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  kind text not null check (kind in ('deposit', 'withdrawal')),
  -- Done, refused and cancelled are final.
  status text not null default 'pending' check (status in ('pending', 'done', 'refused', 'cancelled')),
  requested_micro bigint not null check (requested_micro > 0),
  -- What moved: less than was asked for where no more was freed.
  moved_micro bigint check (moved_micro > 0 and moved_micro <= requested_micro),
  -- The value of the deployment just before it moved.
  value_before_micro bigint,
  -- Why it waits, or was refused: see engine/execution/flows/flow.ts.
  reason_code text check (reason_code in ('awaits_sales', 'awaits_capacity', 'paused', 'cash_not_reported', 'cash_not_enough', 'broker_not_connected',
    'agreement_not_signed', 'fee_unpaid', 'risk_profile_missing', 'not_suitable', 'frozen', 'closing', 'quarantined', 'not_begun',
    'below_minimum', 'nothing_left', 'nothing_freed')),
  -- The flow of the real deployment that its shadow repeats.
  repeats uuid unique references deployment_flows,
  -- Trading clock, these three: when positions were last sized without it, and when it ended.
  requested_at timestamptz not null,
  sized_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  constraint done_has_moved check ((status = 'done') = (moved_micro is not null) and (status = 'done') = (value_before_micro is not null)),
  constraint ended_once check ((status = 'pending') = (ended_at is null)),
  constraint refused_says_why check (status <> 'refused' or reason_code is not null)
);
-- One at a time, so that nobody asks twice for the same money.
create unique index one_pending_flow on deployment_flows (deployment_id) where status = 'pending' and repeats is null;
create index flows_pending on deployment_flows (deployment_id) where status = 'pending';
create index flows_of_deployment on deployment_flows (deployment_id, requested_at desc);
create function guard_flow() returns trigger language plpgsql as $$
declare
  decided text[] := '{status,moved_micro,value_before_micro,reason_code,sized_at,ended_at}';
begin
  if tg_op = 'DELETE' or old.status <> 'pending' or to_jsonb(old) - decided <> to_jsonb(new) - decided then
    raise exception 'a flow is never changed once it is done, refused or cancelled, nor is what was asked for';
  end if;
  return new;
end $$;
create trigger flows_guarded before update or delete on deployment_flows for each row execute function guard_flow();
create trigger flows_never_emptied before truncate on deployment_flows for each statement execute function refuse_change();
