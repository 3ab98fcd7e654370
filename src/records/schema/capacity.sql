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

-- What its real deployments are worth now. The rows are everybody's: the API sees the sum alone.
create function capacity_in_use(of_strategy uuid) returns bigint language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return (select coalesce(sum(greatest(d.equity_micro, 0)), 0) from deployments d
    where d.strategy_id = of_strategy and d.mode = 'real' and d.status not in ('stopped', 'liquidated'));
end $$;
revoke execute on function capacity_in_use(uuid) from public;
grant execute on function capacity_in_use(uuid) to bellwether_product, bellwether_api;
