-- Signed documents may be in a store outside of the database. What an erased agreement had there is removed by the worker; the row is
-- all that says so, and it is gone with its person.
create table if not exists documents_to_remove (
  -- All names in the store that begin with it.
  prefix text primary key,
  noted_at timestamptz not null default clock_timestamp()
);
create or replace function note_documents_to_remove() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.unsigned_pdf is null or (old.sealed_hash is not null and old.sealed_pdf is null) then
    insert into documents_to_remove (prefix) values ('agreements/' || old.id || '/') on conflict do nothing;
  end if;
  return null;
end $$;
create or replace trigger documents_of_erased after delete on agreements
  for each row execute function note_documents_to_remove();
create index if not exists agreements_with_documents on agreements (id) where unsigned_pdf is not null or sealed_pdf is not null;
