-- What people say to the builder of strategies, and what a language model answered and cost. Rows are only added; they are erased with
-- the account, and what was said of a draft with the draft.

-- One reading of a conversation by a language model, however it ended.
create table model_readings (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- {messages, answers}: all that was said.
  conversation jsonb not null,
  -- Whose reading stands.
  read_by text not null check (read_by in ('model', 'grammar')),
  -- Why it is the grammar's: a code of rules/strategy-builder/model-sentences.ts.
  because text check ((because is null) = (read_by = 'model')),
  vendor text not null,
  model text not null,
  is_stand_in boolean not null,
  -- SHA-256 of the instructions and the schema.
  prompt_hash text not null,
  -- As the model gave it, fit for the parser.
  proposal jsonb check ((proposal is null) = (read_by = 'grammar')),
  created_at timestamptz not null
);
create index model_readings_of_person on model_readings (user_id, created_at desc);
create trigger model_readings_stay before update on model_readings
  for each row execute function refuse_change();

-- Written before a model is asked, with the most that the answer can cost.
create table model_calls (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- Written after its calls.
  reading_id uuid not null,
  round integer not null check (round > 0),
  -- [{role, text}] without the instructions, which the hash names.
  messages jsonb not null,
  prompt_hash text not null,
  reserved_tokens integer not null check (reserved_tokens > 0),
  reserved_micro bigint not null check (reserved_micro >= 0),
  asked_at timestamptz not null,
  unique (reading_id, round)
);
create index model_calls_of_day on model_calls (user_id, asked_at);
create trigger model_calls_stay before update on model_calls
  for each row execute function refuse_change();

-- What became of a call. Without a row, or without its usage, what was reserved counts as spent.
create table model_answers (
  call_id uuid primary key references model_calls on delete cascade,
  user_id uuid not null references users on delete cascade,
  outcome text not null check (outcome in
    ('object', 'refused', 'truncated', 'malformed', 'unreachable', 'too_slow', 'over_limit', 'denied')),
  detail text,
  -- By the service's own account.
  answered_by text,
  tokens_in integer check (tokens_in >= 0),
  tokens_out integer check (tokens_out >= 0),
  cost_micro bigint check (cost_micro >= 0),
  object jsonb,
  answered_at timestamptz not null,
  check ((tokens_in is null) = (tokens_out is null) and (tokens_in is null) = (cost_micro is null))
);
create trigger model_answers_stay before update on model_answers
  for each row execute function refuse_change();

-- The words that a version of a draft was built from.
create table draft_words (
  strategy_version_id uuid primary key references strategy_versions on delete cascade,
  user_id uuid not null references users on delete cascade,
  conversation jsonb not null,
  -- Null where the grammar read them.
  reading_id uuid references model_readings,
  -- [{difference, take}]: what the person decided where the two readings differed.
  decisions jsonb not null,
  said_at timestamptz not null
);
create trigger draft_words_stay before update on draft_words
  for each row execute function refuse_change();
