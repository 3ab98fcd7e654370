-- The record of strategies whose decisions come from a model: what it was asked at which close, and what it answered. A row is
-- written before anything is asked, filled in once, and never changed after: nobody asks twice, and nothing that is not here decides.

create table model_decisions (
  strategy_version_id uuid not null references strategy_versions,
  -- plain decides; masked and perturbed probe it: see engine/decider/decision-questions.ts.
  form text not null check (form in ('plain', 'masked', 'perturbed')),
  -- Trading clock: the close that the question is of.
  as_of timestamptz not null,
  prompt_hash text not null,
  vendor text,
  model text not null,
  is_stand_in boolean not null,
  -- The last day that the model may have learned from.
  knowledge_until date not null,
  asked_at timestamptz not null,
  -- The decision is made then with the answers that have come.
  closes_at timestamptz not null,
  closed_at timestamptz,
  -- {symbol: fraction}; null where no answer came, or it is still open.
  weights jsonb,
  -- Of all its answers; those that never came count as they were reserved.
  cost_micro bigint not null default 0 check (cost_micro >= 0),
  -- How alike its answers are, from 0 to 1; null with fewer than two.
  agreement double precision check (agreement between 0 and 1),
  check (closed_at is not null or weights is null),
  primary key (strategy_version_id, form, as_of)
);
create function refuse_change_of_decision() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.closed_at is not null
    or (old.strategy_version_id, old.form, old.as_of, old.prompt_hash, old.model, old.asked_at, old.closes_at)
      is distinct from (new.strategy_version_id, new.form, new.as_of, new.prompt_hash, new.model, new.asked_at, new.closes_at)
  then raise exception '% is written once', tg_table_name; end if;
  return new;
end $$;
create trigger model_decisions_stay before update or delete on model_decisions
  for each row execute function refuse_change_of_decision();
create trigger model_decisions_never_emptied before truncate on model_decisions
  for each statement execute function refuse_change();

-- Each answer. The row comes before the question, with the most that it can cost.
create table model_decision_answers (
  strategy_version_id uuid not null,
  form text not null,
  as_of timestamptz not null,
  -- From 1.
  sample smallint not null check (sample > 0),
  asked_at timestamptz not null,
  reserved_micro bigint not null check (reserved_micro >= 0),
  -- Null while it is on its way, and for good where whoever asked was lost. over_budget and no_model were not asked.
  outcome text check (outcome in ('object', 'refused', 'truncated', 'malformed', 'unreachable', 'too_slow', 'over_limit',
    'denied', 'other_model', 'over_budget', 'no_model')),
  detail text,
  -- By the service's own account.
  answered_by text,
  tokens_in integer check (tokens_in >= 0),
  tokens_out integer check (tokens_out >= 0),
  cost_micro bigint check (cost_micro >= 0),
  object jsonb,
  -- Parts of 10,000, in the order of the instruments in question; null where it is no answer.
  proposed jsonb check (proposed is null or outcome = 'object'),
  answered_at timestamptz,
  check ((outcome is null) = (answered_at is null)),
  primary key (strategy_version_id, form, as_of, sample),
  foreign key (strategy_version_id, form, as_of) references model_decisions
);
create function refuse_change_of_answer() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.outcome is not null then raise exception '% is written once', tg_table_name; end if;
  return new;
end $$;
create trigger model_decision_answers_stay before update or delete on model_decision_answers
  for each row execute function refuse_change_of_answer();
create trigger model_decision_answers_never_emptied before truncate on model_decision_answers
  for each statement execute function refuse_change();

-- The record replayed in each form once, when its strategy was published: what the model makes of the same closes without names and
-- dates, or with other numbers.
create table model_probes (
  strategy_version_id uuid not null references strategy_versions,
  form text not null check (form in ('plain', 'masked', 'perturbed')),
  decisions integer not null check (decisions >= 0),
  -- Fractions a year: of the days that the model may know, and of those after; null where there are too few.
  known_annual_return double precision,
  annual_return double precision,
  sharpe double precision,
  -- The part of the money that is where the plain decisions put it, on average.
  alike double precision check (alike between 0 and 1),
  -- Of the answers to one question with one another, on average.
  agreement double precision check (agreement between 0 and 1),
  -- Trading clock.
  at timestamptz not null,
  primary key (strategy_version_id, form)
);
create trigger model_probes_stay before update or delete on model_probes
  for each row execute function refuse_change();
create trigger model_probes_never_emptied before truncate on model_probes
  for each statement execute function refuse_change();
