-- What lets two versions of the product share a database, and keeps apart what different engines published.

-- Each change of the schema after the first, with the oldest one that a version must know to run beside it. Written with the
-- change: a version that does not know the change reads here whether it may run.
create table schema_reach (
  migration text primary key,
  runs_with text not null,
  at timestamptz not null default clock_timestamp()
);

-- The version of the engine by which a result was computed: see engine/evidence/engine-version.ts. engine_hash is of its text,
-- which changes without a change of figures.
alter table backtests add column engine_version text not null default 'bellwether-engine/1';
