-- How much money each strategy of the provider takes besides what its newest result estimates, and who waits for room in it.
-- Practice takes no room, and neither do the strategies that people wrote for themselves.

-- The provider's own limits; the newest of a strategy counts. Null: the estimate alone.
create table capacity_limits (
  id bigint generated always as identity primary key,
  strategy_id uuid not null references strategies,
  limit_micro bigint check (limit_micro > 0),
  set_by text not null,
  set_at timestamptz not null default clock_timestamp()
);
create index capacity_limits_of_strategy on capacity_limits (strategy_id, id desc);
create trigger capacity_limits_append_only before update or delete on capacity_limits
  for each row execute function refuse_change();
create trigger capacity_limits_not_truncated before truncate on capacity_limits
  for each statement execute function refuse_change();

create index deployments_in_capacity on deployments (strategy_id)
  where mode = 'real' and status not in ('stopped', 'liquidated');

-- Who asked for room in which order. A row is written when somebody signs a deployment of real money, or adds money to one: at once
-- with room, or waiting for it. Who leaves is known by the deployment, or by the request to add money.
create table capacity_places (
  strategy_id uuid not null references strategies,
  -- 1, 2, 3 in the order of signing, under the lock of the strategy's capacity.
  place bigint not null check (place > 0),
  deployment_id uuid not null references deployments,
  -- Of money that is added; null for the first money of the deployment.
  flow_id uuid unique references deployment_flows,
  amount_micro bigint not null check (amount_micro > 0),
  -- Real clock, these two; null while it waits.
  signed_at timestamptz not null default clock_timestamp(),
  admitted_at timestamptz,
  -- What the strategy took in all at that moment, null where nothing limited it; and what was in it just before.
  capacity_micro bigint,
  in_use_micro bigint,
  primary key (strategy_id, place),
  check ((admitted_at is null) = (in_use_micro is null) and (admitted_at is not null or capacity_micro is null)),
  constraint capacity_is_kept check (capacity_micro is null or in_use_micro + amount_micro <= capacity_micro)
);
create unique index capacity_places_of_deployment on capacity_places (deployment_id) where flow_id is null;
create index capacity_waiting on capacity_places (strategy_id, place) where admitted_at is null;
create function guard_capacity_place() returns trigger language plpgsql as $$
declare
  decided text[] := '{admitted_at,capacity_micro,in_use_micro}';
begin
  if tg_op = 'DELETE' or old.admitted_at is not null or to_jsonb(old) - decided <> to_jsonb(new) - decided then
    raise exception 'a place in a queue is let in once, and never changed otherwise';
  end if;
  return new;
end $$;
create trigger capacity_places_guarded before update or delete on capacity_places
  for each row execute function guard_capacity_place();
create trigger capacity_places_not_truncated before truncate on capacity_places
  for each statement execute function refuse_change();

-- The rows of these three functions are everybody's: the API sees sums and places alone.
create function capacity_next_place(of_strategy uuid) returns bigint language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return (select coalesce(max(place), 0) + 1 from capacity_places where strategy_id = of_strategy);
end $$;
-- Who waits: a deployment that has not ended, or a request that is not final.
create function capacity_waiting_in(of_strategy uuid) returns table (place bigint, amount_micro bigint) language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select p.place, p.amount_micro from capacity_places p
    join deployments d on d.id = p.deployment_id and d.status not in ('stopped', 'liquidated')
    left join deployment_flows f on f.id = p.flow_id
    where p.strategy_id = of_strategy and p.admitted_at is null and (f.id is null or f.status = 'pending')
      -- Who asked to end it has left already.
      and coalesce(d.requested_status, '') not in ('stopped', 'liquidated')
    order by p.place;
end $$;
-- What its real deployments are worth now without those that wait, and money that was let in and is to be added.
create function capacity_in_use(of_strategy uuid) returns bigint language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return (select coalesce(sum(greatest(d.equity_micro, 0) + coalesce((
      select sum(f.requested_micro) from capacity_places p join deployment_flows f on f.id = p.flow_id
      where p.deployment_id = d.id and p.admitted_at is not null and f.status = 'pending'), 0)), 0)
    from deployments d
    where d.strategy_id = of_strategy and d.mode = 'real' and d.status not in ('stopped', 'liquidated')
      and not exists (select from capacity_places w
        where w.deployment_id = d.id and w.flow_id is null and w.admitted_at is null));
end $$;
revoke execute on function capacity_next_place(uuid), capacity_waiting_in(uuid), capacity_in_use(uuid) from public;
grant execute on function capacity_next_place(uuid), capacity_waiting_in(uuid), capacity_in_use(uuid) to bellwether_product, bellwether_api;
