-- Personal API keys: what a program or an agent of a person may do, and what it did. The budget of a key is kept here, whatever
-- code writes a deployment.
create table api_keys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  -- The first characters of the secret, by which its owner tells it from others.
  prefix text not null,
  -- SHA-256 of the secret, which is 256 random bits and is not stored.
  secret_hash bytea not null unique,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ '{read,practice,trade}'),
  -- The most money that all deployments of the key may hold together.
  budget_micro bigint check (budget_micro >= 0),
  acts_per_day integer check (acts_per_day > 0),
  -- Real clock, all of these.
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint acting_has_limits check ((budget_micro is not null) = (scopes && '{practice,trade}')
    and (acts_per_day is not null) = (scopes && '{practice,trade}'))
);
create index api_keys_of_user on api_keys (user_id, created_at);

-- What a key may control: what it made itself, and what its owner listed.
create table api_key_deployments (
  user_id uuid not null references users on delete cascade,
  api_key_id uuid not null references api_keys on delete cascade,
  deployment_id uuid not null references deployments,
  is_made boolean not null,
  primary key (api_key_id, deployment_id)
);

-- What a key asked for beyond reading. One that waits is a proposal to its owner.
create table api_key_acts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  api_key_id uuid not null references api_keys on delete cascade,
  -- The call of the contract, and what came with it.
  call text not null,
  params jsonb not null,
  body jsonb not null,
  -- Null where the act makes one.
  deployment_id uuid references deployments,
  strategy_name text,
  -- Money that it would commit.
  amount_micro bigint not null check (amount_micro >= 0),
  -- running: admitted, its outcome not known yet. waiting: for its owner. declined: by its owner. withdrawn: its key was revoked.
  status text not null check (status in ('running', 'done', 'refused', 'waiting', 'declined', 'withdrawn')),
  -- Real clock, these three. Until when it waits.
  requested_at timestamptz not null,
  expires_at timestamptz,
  decided_at timestamptz,
  -- Why it was refused, as its owner reads it.
  outcome text
);
create index api_key_acts_of_key on api_key_acts (api_key_id, requested_at desc);
create index api_key_acts_of_user on api_key_acts (user_id, requested_at desc);
create index api_key_acts_waiting on api_key_acts (api_key_id) where status = 'waiting';

-- The key by which the present call acts; null without one. See postgres/row-scope.ts.
create function api_key_in_use() returns uuid language sql stable
  return nullif(current_setting('bellwether.api_key', true), '')::uuid;

-- What the deployments of a key hold: put in less taken out, and what is to be added.
create function held_by_key(key uuid) returns bigint language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return (select coalesce(sum(greatest(d.investment_micro, 0) + coalesce((
      select sum(f.requested_micro) from deployment_flows f
      where f.deployment_id = d.id and f.kind = 'deposit' and f.status = 'pending'), 0)), 0)
    from api_key_deployments k join live_deployments d on d.id = k.deployment_id where k.api_key_id = key);
end $$;
-- Under the lock of the key's row, which lasts until the money is committed: of two at once one waits and then counts the other.
create function keep_key_budget(key uuid) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  found api_keys;
  held bigint;
begin
  select * into found from api_keys where id = key for update;
  held := held_by_key(key);
  if found.id is null or found.revoked_at is not null then
    raise exception 'the API key % is revoked', key using errcode = 'BW002';
  end if;
  if held > coalesce(found.budget_micro, 0) then
    raise exception 'the deployments of the API key % would hold %', key, held using errcode = 'BW001';
  end if;
end $$;
revoke execute on function held_by_key(uuid), keep_key_budget(uuid) from public;
grant execute on function held_by_key(uuid) to bellwether_product, bellwether_api;

create function note_deployment_of_key() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into api_key_deployments (user_id, api_key_id, deployment_id, is_made)
  values (new.user_id, api_key_in_use(), new.id, true);
  perform keep_key_budget(api_key_in_use());
  return null;
end $$;
create trigger deployments_of_key after insert on deployments for each row
  when (current_setting('bellwether.api_key', true) <> '') execute function note_deployment_of_key();
create function note_flow_of_key() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.kind = 'withdrawal' then raise exception 'an API key withdraws no money' using errcode = 'BW002'; end if;
  if not exists (select from api_key_deployments where api_key_id = api_key_in_use() and deployment_id = new.deployment_id) then
    raise exception 'the deployment % is not one of the API key', new.deployment_id using errcode = 'BW002';
  end if;
  perform keep_key_budget(api_key_in_use());
  return null;
end $$;
create trigger flows_of_key after insert on deployment_flows for each row
  when (current_setting('bellwether.api_key', true) <> '') execute function note_flow_of_key();
