-- Where each deployment was expected to go when it started, and whether its live days still fit: see engine/expectation.

-- Written once, and never again: what was expected does not change with what happens.
create table expected_ranges (
  deployment_id uuid primary key references deployments,
  -- Trading clock.
  made_at timestamptz not null,
  -- Why there is none: a code with its parameters, see engine/expectation/range-of-deployment.ts. Null where there is one.
  why_none jsonb,
  -- What it was made from: the engine, the published result by its hashes and days, and the terms of the deployment.
  engine_hash text,
  input_hash text,
  result_hash text,
  first_date date,
  last_date date,
  terms jsonb,
  -- Daily returns of the record, and those of them from before the version was committed.
  record_days integer,
  days_in_sample integer,
  -- Days ahead with the return that a share of the paths is below: {paths, dates, sessions, values}.
  range jsonb,
  -- What live daily returns are compared with: see engine/expectation/published-returns.ts.
  published jsonb,
  check ((why_none is null) = (range is not null and published is not null))
);
create trigger expected_ranges_stay before update or delete on expected_ranges
  for each row execute function refuse_change();

-- The evidence against a deployment's live days, as of the last day that was judged. Its state is in deployments.
create table tripwire_evidence (
  deployment_id uuid primary key references expected_ranges,
  -- The last day that was judged or passed over, and what it closed at.
  judged_until date,
  equity_micro bigint,
  -- Trading clock: when that was. Money that moved afterwards is of the next day.
  judged_at timestamptz,
  follows boolean,
  check ((judged_until is null) = (judged_at is null) and (judged_until is null) = (equity_micro is null) and (judged_until is null) = (follows is null)),
  -- See engine/expectation/evidence-against.ts.
  evidence jsonb not null,
  -- How often its owner has acknowledged red: after each, the evidence began anew.
  acknowledged integer not null default 0
);
