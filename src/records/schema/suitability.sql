-- What was decided about a person, by which rule and from which facts: whether they may invest, whether they pay a performance
-- fee, and whether a strategy suits them. Nothing here is ever changed.

-- That a person says of themselves that they are a qualified client, and that they no longer say so.
create table attestations (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  kind text not null check (kind in ('qualified_client')),
  -- On what the person relies; null when they withdraw.
  basis text check (basis in ('assets_under_management', 'net_worth')),
  is_withdrawal boolean not null,
  rule_version text not null,
  -- The words that the person agreed to.
  text text not null,
  address text not null,
  user_agent text not null,
  at timestamptz not null default clock_timestamp(),
  check ((basis is null) = is_withdrawal)
);
create index attestations_of_user on attestations (user_id, id desc);
create trigger attestations_append_only before update or delete on attestations
  for each row execute function refuse_change_of_kept();
create trigger attestations_never_emptied before truncate on attestations
  for each statement execute function refuse_change();

create table eligibility_decisions (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  rule text not null check (rule in ('investing', 'performance_fee', 'hypothetical_figures')),
  rule_version text not null,
  -- What asked for the decision.
  occasion text not null check (occasion in ('details', 'agreement', 'deployment', 'attestation', 'billing', 'figures')),
  -- The facts as they were.
  inputs jsonb not null,
  outcome text not null check (outcome in ('allowed', 'refused')),
  -- Codes; empty when it is allowed without more.
  reasons text[] not null,
  at timestamptz not null default clock_timestamp()
);
create index eligibility_decisions_of_user on eligibility_decisions (user_id, id desc);
create trigger eligibility_decisions_append_only before update or delete on eligibility_decisions
  for each row execute function refuse_change_of_kept();
create trigger eligibility_decisions_never_emptied before truncate on eligibility_decisions
  for each statement execute function refuse_change();

-- Whom the provider shows hypothetical figures: the newest row counts, one of a country before one of all. Without a row, everybody.
create table figure_switches (
  id bigint generated always as identity primary key,
  status text not null check (status in ('visitor', 'person', 'client')),
  -- Null: of every country, known or not.
  country text check (country ~ '^[A-Z]{2}$'),
  is_shown boolean not null,
  at timestamptz not null default clock_timestamp()
);
create trigger figure_switches_append_only before update or delete on figure_switches
  for each row execute function refuse_change();
create trigger figure_switches_never_emptied before truncate on figure_switches
  for each statement execute function refuse_change();

-- One for each deployment of real money at each occasion.
create table advice_records (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  strategy_id uuid not null references strategies,
  -- Null for advice against a deployment that was not made.
  deployment_id uuid references deployments,
  occasion text not null check (occasion in ('deploy', 'deposit', 'resume', 'client_score', 'strategy_score')),
  rule_version text not null,
  inputs jsonb not null,
  outcome text not null check (outcome in ('suitable', 'beyond_joint_tolerance', 'not_suitable', 'risk_profile_missing')),
  at timestamptz not null default clock_timestamp()
);
create index advice_records_of_user on advice_records (user_id, id desc);
create trigger advice_records_append_only before update or delete on advice_records
  for each row execute function refuse_change_of_kept();
create trigger advice_records_never_emptied before truncate on advice_records
  for each statement execute function refuse_change();

create table identity_checks (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  provider text not null,
  -- The service's own name for this check.
  reference text not null,
  status text not null check (status in ('passed', 'review', 'failed')),
  documents text not null check (documents in ('verified', 'unclear', 'rejected')),
  -- [{list, name}]
  sanctions jsonb not null,
  inputs jsonb not null,
  at timestamptz not null default clock_timestamp()
);
create index identity_checks_of_user on identity_checks (user_id, id desc);
create trigger identity_checks_append_only before update or delete on identity_checks
  for each row execute function refuse_change_of_kept();
create trigger identity_checks_never_emptied before truncate on identity_checks
  for each statement execute function refuse_change();
