-- Accounts, sessions, risk profiles and signed agreements.
create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  password_hash text not null,
  first_name text not null,
  last_name text not null default '',
  role text not null default 'investor' check (role in ('investor', 'provider', 'support', 'auditor', 'admin')),
  date_of_birth date,
  country text check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default now(),
  -- Since then nobody signs in with it. What it trades goes on.
  disabled_at timestamptz,
  -- When its owner followed a link that was mailed to the address; null: it may be somebody else's.
  email_verified_at timestamptz,
  -- How often the performance fee is billed.
  fee_period text not null default 'monthly' check (fee_period in ('weekly', 'monthly')),
  -- Whether fee bills are paid by themselves when they fall due. A declined payment ends it.
  pays_fees_automatically boolean not null default true
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  remember boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- As the browser says of itself.
  user_agent text not null default '',
  -- Of the newest use; to the minute.
  address text not null default '',
  last_used_at timestamptz not null default now(),
  -- When the person last proved in it who they are, by a password or a code.
  confirmed_at timestamptz not null default now()
);
create index sessions_of_user on sessions (user_id) where ended_at is null;

-- Each refresh issues a new token; the old one names its successor, sealed, for the short same-answer grace.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  rotated_at timestamptz,
  successor text
);
create index refresh_tokens_of_session on refresh_tokens (session_id);

-- A second factor: an authenticator app that shares a secret with us.
create table authenticators (
  user_id uuid primary key references users on delete cascade,
  sealed_secret bytea not null,
  sealed_with text generated always as (sealing_key_of(sealed_secret)) stored references keyring,
  -- Null until a first code has shown that the app has the secret.
  enabled_at timestamptz,
  -- The newest 30 seconds whose code was used: none works twice.
  last_step integer not null default 0
);

-- The other kind of second factor: keys that stay in a person's devices. Of each we hold the public half.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- As the device names it.
  credential_id text not null unique,
  public_key bytea not null,
  -- Of uses, where the device counts them; else 0. One that does not rise is a copy's.
  counter bigint not null check (counter >= 0),
  -- How a browser reaches the device.
  transports text[] not null,
  -- Whether the device keeps copies elsewhere, such as in a password manager.
  is_synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id, created_at);

-- What a passkey signs to show that it is there now: each once, and soon.
create table passkey_challenges (
  challenge_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- add: to register a passkey. sign_in: after a right password. confirm: in a session.
  purpose text not null check (purpose in ('add', 'sign_in', 'confirm')),
  session_id uuid references sessions on delete cascade check ((session_id is null) = (purpose = 'sign_in')),
  expires_at timestamptz not null
);
create index passkey_challenges_of_user on passkey_challenges (user_id, expires_at);

-- Of either kind: whoever has one needs it to sign in.
create view second_factors as
  select user_id from authenticators where enabled_at is not null
  union
  select user_id from passkeys;

create table backup_codes (
  user_id uuid not null references users on delete cascade,
  -- argon2id, with a salt made from the key that hashed_with names.
  code_hash bytea not null,
  hashed_with text not null references keyring,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- What happened to the sign-in of a person, for that person to see: the newest few hundred.
create table account_events (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null,
  address text not null,
  user_agent text not null,
  at timestamptz not null
);
create index account_events_of_user on account_events (user_id, id desc);

create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_of_user on password_resets (user_id) where used_at is null;

-- Links that show who reads the mails of an address.
create table email_verifications (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_verifications_of_user on email_verifications (user_id);

-- Who was asked to become staff. Whoever follows the mailed link chooses the password.
create table staff_invitations (
  id uuid primary key,
  email text not null check (email = lower(email)),
  role text not null check (role in ('support', 'provider', 'auditor', 'admin')),
  -- Null: by the command line, where there was no admin yet.
  invited_by uuid references users,
  invited_at timestamptz not null,
  -- Of the newest mailed link; null until it is sent.
  token_hash bytea unique,
  expires_at timestamptz,
  status text not null default 'open' check (status in ('open', 'accepted', 'withdrawn')),
  ended_at timestamptz check ((ended_at is null) = (status = 'open'))
);
create unique index staff_invitations_open on staff_invitations (email) where status = 'open';

-- The guesses left at a secret, as the times at which all of a minute and all of a day are left again: each guess moves them on, a
-- right one back.
create table guess_limits (
  -- Hash of what is guessed, such as the password of an account.
  secret bytea not null,
  -- Hash of the known device or session that guesses; empty for everybody else together.
  guesser bytea not null,
  minute_free_at timestamptz not null,
  day_free_at timestamptz not null,
  primary key (secret, guesser)
);
create index guess_limits_over on guess_limits (day_free_at);

create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null,
  endpoint text not null,
  request_hash text not null,
  -- The HTTP status and body of the first answer; null until there is one.
  status integer,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, endpoint, key)
);

create table risk_profiles (
  id uuid primary key,
  user_id uuid not null unique references users on delete cascade,
  responses jsonb not null,
  score smallint not null check (score between 0 and 100),
  risk_score smallint not null check (risk_score between 1 and 5),
  risk_tolerance text not null,
  investment_experience text not null,
  investment_objective text not null,
  time_horizon text not null,
  financial_situation text not null,
  -- Percent.
  max_drawdown_tolerance smallint not null,
  recommendations jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table agreements (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  version text not null,
  provider text not null,
  envelope_id text not null unique,
  signing_token_hash bytea unique,
  status text not null check (status in ('created', 'signed', 'declined')),
  document_hash text not null,
  sealed_hash text,
  sealed_pdf bytea,
  unsigned_pdf bytea,
  evidence jsonb not null default '[]',
  signed_name text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  signed_at timestamptz,
  -- The text that the document was composed from, so that the page shows the same:
  -- {agreement, signer: {name, email}, returnUrl}
  content jsonb not null default '{}'
);
create unique index agreements_signed_once on agreements (user_id, version) where status = 'signed';
create index agreements_of_user on agreements (user_id, created_at desc);

-- The day by which whoever signed an older version must have signed this one: two people set it. Until then, and for closing and
-- protecting always, what was signed holds for what runs. Real clock, as that of the next table.
create table agreement_deadlines (
  version text primary key,
  sign_by timestamptz not null,
  decided_at timestamptz not null default clock_timestamp()
);

-- When a person was told that there is a new version.
create table agreement_changes_told (
  user_id uuid not null references users on delete cascade,
  version text not null,
  told_at timestamptz not null,
  primary key (user_id, version)
);

-- Who closed their account: what the law makes us keep of them, apart from everything that the product reads, until it is erased.
create table closed_accounts (
  user_id uuid primary key references users,
  email text not null,
  first_name text not null,
  last_name text not null,
  date_of_birth date,
  country text,
  -- The version of the table of data classes that counted.
  rule_version text not null,
  closed_at timestamptz not null,
  kept_until timestamptz not null check (kept_until > closed_at)
);
create function guard_closed_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or old.kept_until > clock_timestamp() then
    raise exception 'a closed account is locked until %', old.kept_until;
  end if;
  return old;
end $$;
create trigger closed_accounts_locked before update or delete on closed_accounts
  for each row execute function guard_closed_account();

-- What the law keeps of a person is neither changed nor removed, until it no longer keeps it.
create function refuse_change_of_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from closed_accounts where user_id = old.user_id and kept_until <= clock_timestamp()
  ) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- Links to private files, each of one person, session and file. One is used up by being deleted.
create table download_links (
  -- SHA-256 of the token in the link; the token itself is not stored.
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  -- Path and query of the file.
  address text not null,
  expires_at timestamptz not null
);
create index download_links_of_user on download_links (user_id);
create index download_links_of_session on download_links (session_id);
