// Evidence beside every result: what it was computed from part by part, the measures before and after the commit, and
// the ledger of every backtest ever run of a strategy family.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(RESULTS + TRIALS).execute(database);
}

const RESULTS = `
-- Results without evidence are computed anew at the next start.
delete from backtests;
alter table backtests
  -- Trading clock, when it was run.
  add column data_as_of timestamptz not null,
  -- {source, counts: {symbol: bars read, from its first}}
  add column bars_read jsonb not null,
  -- {symbol: [score of each bar, null where there is none]}; null where the strategy has no model.
  add column scores jsonb,
  add column engine_hash text not null,
  add column data_hash text not null,
  add column costs_hash text not null,
  -- Every assumption besides rules and prices.
  add column costs jsonb not null,
  -- {whole, inSample, outOfSample}
  add column samples jsonb not null,
  -- The grade with its figures, as of the ledger at that moment.
  add column evidence jsonb not null;
`;

const TRIALS = `
-- Append-only, and bound to no row that could be deleted: what was tried stays known.
create table trials (
  id bigint generated always as identity primary key,
  -- The strategy, whose versions are one family.
  family uuid not null,
  strategy_version_id uuid,
  definition_hash text not null,
  input_hash text not null,
  data_hash text not null,
  -- publication: a version's first result. variant: a neighbour tried for the evidence. search: asked for by somebody.
  -- renewal: a committed version on later prices or by a newer engine; it chooses nothing and counts as no try.
  purpose text not null check (purpose in ('publication', 'variant', 'search', 'renewal')),
  run_by text not null check (run_by in ('person', 'provider', 'machine')),
  user_id uuid check (run_by <> 'person' or user_id is not null),
  -- Trading clock.
  at timestamptz not null,
  outcome text not null check (outcome in ('measured', 'failed')),
  reason text,
  -- In-sample, per period, not annualised; null where it is not defined.
  sharpe double precision,
  periods integer not null check (periods >= 0),
  created_at timestamptz not null default now()
);
create index trials_of_family on trials (family);
create trigger trials_append_only before update or delete on trials
  for each row execute function refuse_change();
create trigger trials_not_truncated before truncate on trials
  for each statement execute function refuse_change();
-- What the neighbours of a version did on the same in-sample days.
create table variant_studies (
  strategy_version_id uuid not null references strategy_versions on delete cascade,
  engine_hash text not null,
  variants integer not null,
  -- By combinatorially symmetric cross-validation; null where the history is too short for it.
  overfitting_probability double precision,
  at timestamptz not null,
  primary key (strategy_version_id, engine_hash)
);
`;
