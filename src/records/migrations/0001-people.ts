// People: accounts, sessions, risk profiles, agreements, broker connections.
// Money is bigint micro-units, quantities and prices are numeric in natural units; each instant says its clock.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(IDENTITY + ONBOARDING).execute(database);
}

const IDENTITY = `
create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  password_hash text not null,
  first_name text not null,
  last_name text not null default '',
  role text not null default 'investor' check (role in ('investor', 'provider', 'support')),
  date_of_birth date,
  country text check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default now()
);
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  remember boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_user on sessions (user_id) where ended_at is null;
-- Each refresh gives a new token; the old one names its successor, sealed, for the short same-answer grace.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  rotated_at timestamptz,
  successor text
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  key text not null,
  endpoint text not null,
  request_hash text not null,
  status integer,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, endpoint, key)
);
`;

const ONBOARDING = `
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
  status text not null check (status in ('created', 'signed', 'expired')),
  document_hash text not null,
  sealed_hash text,
  sealed_pdf bytea,
  unsigned_pdf bytea,
  evidence jsonb not null default '[]',
  signed_name text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  signed_at timestamptz
);
create unique index agreements_signed_once on agreements (user_id, version) where status = 'signed';
create table brokers (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  logo text not null,
  description text not null,
  broker_type text not null,
  supported_assets text[] not null,
  status text not null check (status in ('available', 'coming_soon')),
  position smallint not null
);
create table broker_connections (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  broker_id uuid not null references brokers,
  status text not null check (status in ('pending', 'active', 'failed', 'revoked')),
  status_reason text,
  is_primary boolean not null default false,
  state_hash bytea unique,
  request_token text,
  -- AES-256-GCM sealed JSON; only the trader and the connect call open it.
  sealed_credentials bytea,
  account_id text,
  available_cash_micro bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  connected_at timestamptz
);
create index broker_connections_of_user on broker_connections (user_id, created_at desc);
`;
