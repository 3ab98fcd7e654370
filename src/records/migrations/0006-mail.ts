// Mail: what is to be sent, what the sandbox kept instead of sending, password resets, and what each person wants.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(MAIL + IDENTITY + PREFERENCES).execute(database);
}

const MAIL = `
-- What is owed, not its words: those are made when it is sent. All instants are of the real clock.
create table mails (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('password_reset', 'notification')),
  notification_id uuid references notifications on delete cascade
    check ((purpose = 'notification') = (notification_id is not null)),
  -- One event, one mail.
  cause text not null unique,
  -- sending: handed over, its outcome not known yet. unknown: never sent again.
  status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed', 'unknown')),
  attempts smallint not null default 0,
  problem text,
  due_at timestamptz not null,
  claimed_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
create index mails_to_send on mails (due_at) where status in ('waiting', 'sending');
create index mails_of_user on mails (user_id, purpose, created_at desc);
create table sandbox_mails (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  received_at timestamptz not null default now()
);
create index sandbox_mails_of_recipient on sandbox_mails (recipient, id desc);
`;

const IDENTITY = `
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_of_user on password_resets (user_id) where used_at is null;
`;

const PREFERENCES = `
-- Only of people who changed something; everybody else has the product's defaults.
create table notification_preferences (
  user_id uuid primary key references users on delete cascade,
  email_trade_confirmations boolean not null,
  email_strategy_updates boolean not null,
  email_performance_reports boolean not null,
  push_trade_alerts boolean not null,
  push_risk_warnings boolean not null,
  push_market_updates boolean not null,
  updated_at timestamptz not null default now()
);
`;
