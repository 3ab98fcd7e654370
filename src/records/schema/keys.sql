-- The keys of the product, each wrapped by a root key that the database never sees. A replaced one stays while something needs it.
create table keyring (
  id text primary key check (id ~ '^[0-9a-f]{16}$'),
  kind text not null check (kind in ('sealing', 'access_token', 'browser_mark', 'backup_code', 'web_push')),
  wrapped bytea not null,
  -- The id of the root key.
  wrapped_by text not null,
  check_value text not null,
  made_at timestamptz not null default clock_timestamp(),
  replaced_at timestamptz
);
create unique index keyring_newest on keyring (kind) where replaced_at is null;
-- The key that an envelope of sealed-secret.ts names; null for anything else.
create function sealing_key_of(sealed bytea) returns text language sql immutable as $$
  select case when substring(sealed from 1 for 1) = '\x02'::bytea then encode(substring(sealed from 2 for 8), 'hex') end;
$$;

-- What each key that lies in a file gives away of itself: a process with another key of that name is refused before it writes anything.
-- The highest number counts; the others were replaced.
create table key_checks (
  name text not null,
  number integer not null check (number > 0),
  check_value text not null,
  noted_at timestamptz not null default clock_timestamp(),
  primary key (name, number),
  unique (name, check_value)
);
create trigger key_checks_append_only before update or delete on key_checks
  for each row execute function refuse_change();
