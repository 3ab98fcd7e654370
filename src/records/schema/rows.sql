-- Row-level security of what is private to a person: the second lock behind the conditions of the queries. API, trader and worker
-- sign in alike; the API then takes the role bellwether_api, which sees the rows of the person of the request. Trader, worker and
-- commands see all. See postgres/row-scope.ts.
create function rows_of() returns text language plpgsql stable parallel safe as $$
declare
  scope text := coalesce(current_setting('bellwether.rows_of', true), '');
begin
  if scope = '' then
    raise exception 'a query of a private table says for whom: see records/postgres/row-scope.ts';
  end if;
  return scope;
end $$;
-- The person of the request; null for everybody and for nobody.
create function person_of_rows() returns uuid language sql stable parallel safe
  return case when rows_of() in ('everybody', 'nobody') then null else rows_of()::uuid end;
do $$
declare
  private text;
begin
  foreach private in array '{agreements,risk_profiles,attestations,eligibility_decisions,advice_records,identity_checks,notifications,broker_connections,deployments,subscriptions,payments,charges,watched_strategies,model_readings,model_calls,model_answers,draft_words,api_key_deployments,api_key_acts,webhooks,webhook_deliveries,news_addresses,news_deliveries,attack_acceptances}'::text[] loop
    execute format('alter table %I enable row level security', private);
    execute format('create policy everything on %I to bellwether_product using (true)', private);
    execute format($policy$create policy own_rows on %I to bellwether_api
      using ((select rows_of()) in ('everybody', user_id::text))$policy$, private);
  end loop;
end $$;

-- What belongs to a deployment, or to a charge, and so to its person. Whose they are is looked up once for a query, by an index.
do $$
declare
  of_deployment text := 'deployment_id in (select id from deployments where user_id = (select person_of_rows()))';
  of_bill text := format('bill_id in (select id from fee_bills where %s)', of_deployment);
  of_charge text := 'charge_id in (select id from charges where user_id = (select person_of_rows()))';
  private text;
  own text;
begin
  for private, own in values
    ('positions', of_deployment), ('fills', of_deployment), ('ledger_transactions', of_deployment),
    ('ledger_entries', of_deployment), ('equity_marks', of_deployment), ('cut_off_marks', of_deployment), ('expected_ranges', of_deployment), ('tripwire_evidence', of_deployment), ('round_trips', of_deployment), ('position_events', of_deployment),
    ('stated_changes', of_deployment), ('liquidation_requests', of_deployment), ('deployment_flows', of_deployment), ('capacity_places', of_deployment),
    ('fee_bills', of_deployment), ('fee_corrections', of_deployment), ('fee_payments', of_bill),
    ('refunds', of_charge), ('disputes', of_charge), ('chargebacks', of_charge)
  loop
    execute format('alter table %I enable row level security', private);
    execute format('create policy everything on %I to bellwether_product using (true)', private);
    execute format($policy$create policy own_rows on %I to bellwether_api
      using ((select rows_of()) = 'everybody' or %s)$policy$, private, own);
  end loop;
end $$;

-- The trader writes orders and receipts by COPY, which row-level security forbids. The API has no right on these tables: in its
-- role their names lead to views of the same rows. See schema/views.ts.
create schema own_rows;
