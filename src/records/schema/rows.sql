-- Row-level security of what is private to a person: the second lock behind the conditions of the queries. API, trader and worker
-- sign in alike; the API then takes the role bellwether_api, which sees the rows of the person of the request. Trader, worker and
-- commands see all. See postgres/row-scope.ts.
create function rows_of() returns text language plpgsql stable as $$
declare
  scope text := coalesce(current_setting('bellwether.rows_of', true), '');
begin
  if scope = '' then
    raise exception 'a query of a private table says for whom: see records/postgres/row-scope.ts';
  end if;
  return scope;
end $$;
do $$
declare
  private text;
begin
  foreach private in array '{agreements,risk_profiles,attestations,eligibility_decisions,advice_records,identity_checks,notifications,broker_connections,deployments,subscriptions,payments,watched_strategies}'::text[] loop
    execute format('alter table %I enable row level security', private);
    execute format('create policy everything on %I to bellwether_product using (true)', private);
    execute format($policy$create policy own_rows on %I to bellwether_api
      using ((select rows_of()) in ('everybody', user_id::text))$policy$, private);
  end loop;
end $$;
