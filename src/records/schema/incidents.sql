-- What staff must know of: written by the process that sees it, read by the desk, metrics, alarms and the owner's sentence.
create table incidents (
  id uuid primary key default gen_random_uuid(),
  -- The list is engine/incidents/incident-kind.ts alone; with it the meaning of subject and facts.
  kind text not null,
  -- The id of what it is about.
  subject text not null,
  -- The instrument that it concerns, where it concerns one.
  symbol text,
  connection_id uuid references broker_connections on delete cascade,
  account_id text,
  deployment_id uuid references deployments on delete cascade,
  -- Codes, ids, counts and quotes.
  facts jsonb not null default '{}',
  severity text not null check (severity in ('act_now', 'today', 'watch')),
  -- Whose action ends it.
  whose_move text not null check (whose_move in ('staff', 'owner', 'broker', 'nobody')),
  since timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz,
  ended_how text check (ended_how in ('cleared', 'unseen', 'obsolete')),
  check ((ended_at is null) = (ended_how is null))
);
create unique index incidents_once on incidents (kind, subject, symbol) nulls not distinct where ended_at is null;
create index incidents_of_connection on incidents (connection_id) where ended_at is null;
create index incidents_of_deployment on incidents (deployment_id) where ended_at is null;
create index incidents_ended on incidents (ended_at desc) where ended_at is not null;
-- An end is final: what happens again is another row.
create function guard_incident() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null then raise exception 'an incident that has ended does not change'; end if;
  return new;
end $$;
create trigger incidents_guarded before update on incidents for each row execute function guard_incident();

-- What a person of support says about an open incident: for the next one who looks. Cleared with it.
create table incident_notes (
  id bigint generated always as identity primary key,
  incident_id uuid not null references incidents on delete cascade,
  note text not null,
  -- Handed over: whose action ends it from now on. Null: it stays as it was.
  whose_move text check (whose_move in ('staff', 'owner', 'broker', 'nobody')),
  -- The cause is said to be over: the wait until a problem counts as over is cut short, or the check is made again.
  looks_again boolean not null default false,
  noted_by uuid not null references users,
  -- Real clock, as the incident's.
  noted_at timestamptz not null
);
create index incident_notes_of on incident_notes (incident_id, id desc);
create function guard_incident_note() returns trigger language plpgsql as $$
begin
  raise exception 'a note is not changed';
end $$;
create trigger incident_notes_guarded before update on incident_notes
  for each row execute function guard_incident_note();
