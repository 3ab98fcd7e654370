-- Track records that the provider's staff imported for a published strategy. Claims: no figure, grade or line of ours is made from them.
create table claimed_records (
  id uuid primary key,
  strategy_id uuid not null references strategies,
  -- The newest rules when it was imported, which the claim is about.
  strategy_version_id uuid not null references strategy_versions,
  -- Where the figures come from, in the words of who imported them.
  source text not null check (source <> ''),
  kind text not null check (kind in ('returns', 'values')),
  -- Of the file as it came.
  file_hash text not null,
  first_date date not null,
  last_date date not null check (last_date > first_date),
  -- Parallel: ISO dates, and what money was worth on each, 1 at the start.
  labels jsonb not null,
  growth jsonb not null,
  imported_by uuid not null references users,
  -- Real clock, these two.
  imported_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended_as text check (ended_as in ('replaced', 'withdrawn')),
  check ((ended_at is null) = (ended_as is null))
);
create unique index claimed_record_of_strategy on claimed_records (strategy_id) where ended_at is null;
create index claimed_records_of_strategy on claimed_records (strategy_id, imported_at);
create function guard_claimed_record() returns trigger language plpgsql as $$
declare
  decided text[] := '{ended_at,ended_as}';
begin
  if tg_op = 'DELETE' or old.ended_at is not null or new.ended_at is null or to_jsonb(old) - decided <> to_jsonb(new) - decided then
    raise exception 'a claimed record is replaced or withdrawn once, and never changed otherwise';
  end if;
  return new;
end $$;
create trigger claimed_records_guarded before update or delete on claimed_records
  for each row execute function guard_claimed_record();
create trigger claimed_records_never_emptied before truncate on claimed_records
  for each statement execute function refuse_change();
