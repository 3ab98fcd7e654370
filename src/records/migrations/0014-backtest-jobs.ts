// Backtests and sweeps that people ask for: a queue that outlives the processes that work on it.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table backtest_jobs (
  id uuid primary key,
  strategy_id uuid not null references strategies on delete cascade,
  strategy_version_id uuid not null references strategy_versions on delete cascade,
  -- Who asked for it: the trial ledger counts each run as theirs.
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('backtest', 'sweep')),
  -- [{path, values}] of a sweep: every combination is run.
  parameters jsonb not null default '[]',
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'cancelled', 'failed')),
  cancel_requested boolean not null default false,
  progress double precision not null default 0 check (progress between 0 and 1),
  message text,
  result jsonb,
  -- How often it was begun: a job whose process died is begun again, but not for ever.
  attempts smallint not null default 0,
  -- The real clock, all of them; alive_at moves while somebody works on it.
  alive_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index backtest_jobs_of_strategy on backtest_jobs (strategy_id, created_at desc);
create index backtest_jobs_open on backtest_jobs (created_at) where status in ('queued', 'running');
-- One at a time for each person.
create unique index backtest_jobs_running on backtest_jobs (user_id) where status = 'running';
`)
    .execute(database);
}
