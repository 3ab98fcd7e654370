-- Backtests of strategy versions with their evidence, every try ever made, and the runs that people request.

-- A result of the engine over closed bars, looked up by the hashes of all its inputs.
create table backtests (
  id uuid primary key,
  strategy_version_id uuid not null references strategy_versions on delete cascade,
  input_hash text not null,
  result_hash text not null,
  first_date date not null,
  last_date date not null,
  figures jsonb not null,
  series jsonb not null,
  trades jsonb not null,
  created_at timestamptz not null default now(),
  -- Trading clock, when it was run.
  data_as_of timestamptz not null,
  -- {source, counts: {symbol: bars read, from its first}}
  bars_read jsonb not null,
  -- {symbol: [score of each bar, null where there is none]}; null where the strategy has no model.
  scores jsonb,
  engine_hash text not null,
  data_hash text not null,
  costs_hash text not null,
  -- Every assumption besides rules and prices.
  costs jsonb not null,
  -- {whole, inSample, outOfSample}
  samples jsonb not null,
  -- The grade with its figures, as of the ledger at that moment.
  evidence jsonb not null,
  -- The usual and largest position that the strategy asks for, as fractions of equity: {usual, largest}; null when it has
  -- asked for none.
  position_sizes jsonb,
  -- How much money the strategy can trade: see engine/capacity/estimate-capacity.ts.
  capacity jsonb not null default '{"kind": "unknown", "why": "too_few_orders"}',
  unique (strategy_version_id, input_hash)
);
create index backtests_newest on backtests (strategy_version_id, last_date desc, created_at desc);

-- Append-only, and references no row that could be deleted: tries stay known.
create table trials (
  id bigint generated always as identity primary key,
  strategy_id uuid not null,
  strategy_version_id uuid,
  -- Whose search it is part of: the person whose draft it is, also after the draft is gone; null for the provider and its staff.
  searcher uuid,
  -- What is traded, and by which kinds of rule: see engine/evidence/trial-family.ts.
  markets text[] not null,
  rule_kinds text[] not null,
  definition_hash text not null,
  input_hash text not null,
  data_hash text not null,
  -- publication: a version's first result. variant: a neighbour tried for the evidence. search: requested by a person.
  -- renewal: a committed version on later prices or by a newer engine. attack: one under harder terms. Neither selects
  -- anything, so they do not count as tries.
  purpose text not null check (purpose in ('publication', 'variant', 'search', 'renewal', 'attack')),
  run_by text not null check (run_by in ('person', 'provider', 'machine')),
  user_id uuid check (run_by <> 'person' or user_id is not null),
  -- The requested job and the number of its run: a restarted job counts each run once.
  job_id uuid,
  job_run integer check ((job_id is null) = (job_run is null)),
  -- Trading clock.
  at timestamptz not null,
  outcome text not null check (outcome in ('measured', 'failed')),
  reason text,
  -- In-sample, per period, not annualised; null where it is not defined.
  sharpe double precision,
  periods integer not null check (periods >= 0),
  -- In-sample growth by week, from that week on: 32-bit floats, the lowest byte first. Null without a result.
  first_week integer,
  weekly_growth bytea check ((first_week is null) = (weekly_growth is null)),
  created_at timestamptz not null default now()
);
create index trials_of_strategy on trials (strategy_id);
create index trials_of_searcher on trials (searcher);
create unique index trials_of_job on trials (job_id, job_run);
create trigger trials_append_only before update or delete on trials
  for each row execute function refuse_change();
create trigger trials_not_truncated before truncate on trials
  for each statement execute function refuse_change();

-- Results of a version's neighbours on the same in-sample days.
create table variant_studies (
  strategy_version_id uuid not null references strategy_versions on delete cascade,
  engine_hash text not null,
  variants integer not null,
  -- By combinatorially symmetric cross-validation; null when the history is too short for it.
  overfitting_probability double precision,
  -- That the best of one half of the days earns nothing on the other.
  loss_probability double precision check ((loss_probability is null) = (overfitting_probability is null)),
  -- Trading clock.
  at timestamptz not null,
  primary key (strategy_version_id, engine_hash)
);

-- What attacks on a definition found: kept for good, also after the strategy is gone, and never changed.
create table attacks (
  -- Of the job that ran them: a job that is begun again writes once.
  id uuid primary key,
  strategy_version_id uuid not null,
  definition_hash text not null,
  engine_hash text not null,
  data_hash text not null,
  verdict text not null check (verdict in ('withstood', 'doubtful', 'do_not_deploy', 'not_judged')),
  -- [{code, outcome, figure, threshold}] or, where it could not be run, [{code, outcome, reason}]
  results jsonb not null,
  -- What the deflated figures counted then.
  tries integer not null check (tries > 0),
  -- Trading clock.
  at timestamptz not null,
  created_at timestamptz not null default now()
);
create index attacks_of_definition on attacks (definition_hash, created_at desc);
create index attacks_of_version on attacks (strategy_version_id, created_at desc);
create trigger attacks_append_only before update or delete on attacks
  for each row execute function refuse_change();
create trigger attacks_not_truncated before truncate on attacks
  for each statement execute function refuse_change();

-- Who deploys rules of their own in spite of what an attack on them found says so by name.
create table attack_acceptances (
  attack_id uuid not null references attacks,
  user_id uuid not null references users,
  -- The verdict that was read, and the name as it was written.
  verdict text not null,
  name text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attack_id, user_id)
);
create index attack_acceptances_of_user on attack_acceptances (user_id);
create trigger attack_acceptances_append_only before update or delete on attack_acceptances
  for each row execute function refuse_change_of_kept();
create trigger attack_acceptances_never_emptied before truncate on attack_acceptances
  for each statement execute function refuse_change();

-- Backtests, sweeps, attacks and searches that people request, and their outcome. The job queue decides which worker runs one.
create table backtest_jobs (
  id uuid primary key,
  strategy_id uuid not null references strategies on delete cascade,
  strategy_version_id uuid not null references strategy_versions on delete cascade,
  -- The requester: the trial ledger counts each run as theirs.
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('backtest', 'sweep', 'attack', 'search')),
  -- Of a search: {wishes, candidates: [definition]}.
  search jsonb,
  -- [{path, values}] of a sweep: every combination is run.
  parameters jsonb not null default '[]',
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'cancelled', 'failed')),
  cancel_requested boolean not null default false,
  progress double precision not null default 0 check (progress between 0 and 1),
  message text,
  -- {labels, data} of a backtest that runs: its equity so far; null before it and after.
  partial jsonb,
  result jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index backtest_jobs_of_strategy on backtest_jobs (strategy_id, created_at desc);
create index backtest_jobs_queued on backtest_jobs (user_id) where status = 'queued';
-- One running job per person.
create unique index backtest_jobs_running on backtest_jobs (user_id) where status = 'running';
