-- Notices to people, each person's preferences, and the mails to be sent.
create table notifications (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  deployment_id uuid references deployments,
  kind text not null,
  -- What happened, as facts: the text is made on display (rules/notifications/notice-text.ts).
  facts jsonb not null,
  -- The event behind it: a second notice of the same event is refused.
  cause text not null unique,
  -- What the notices of one decision share: see engine/decision/decision-key.ts.
  decision text,
  read_at timestamptz,
  -- Trading clock.
  created_at timestamptz not null,
  -- Real clock.
  written_at timestamptz not null default clock_timestamp(),
  -- See fills.written_in.
  written_in xid8 not null default pg_current_xact_id()
);
create index notifications_of_user on notifications (user_id, created_at desc);
create index notifications_by_transaction on notifications (written_in);

-- Which news goes by which channel, where a person chose: see rules/notifications/choices.ts.
create table news_choices (
  user_id uuid not null references users on delete cascade,
  news text not null,
  channel text not null,
  is_on boolean not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, news, channel)
);

-- Mails to send, without their text, which is made on sending.
create table mails (
  id uuid primary key,
  -- Null for an alarm, which goes to the operator's address, and for an invitation to somebody without an account.
  user_id uuid references users on delete cascade check ((purpose in ('alarm', 'invitation')) = (user_id is null)),
  to_address text check ((purpose in ('alarm', 'invitation')) = (to_address is not null)),
  purpose text not null check (purpose in ('password_reset', 'notification', 'performance_report', 'alarm', 'invitation',
    'verification')),
  invitation_id uuid references staff_invitations on delete cascade
    check ((purpose = 'invitation') = (invitation_id is not null)),
  -- The incident that the alarm is about, and what happened to it.
  incident_id uuid references incidents on delete cascade check ((purpose = 'alarm') = (incident_id is not null)),
  alarm_event text check (alarm_event in ('opened', 'ended')),
  notification_id uuid references notifications on delete cascade
    check ((purpose = 'notification') = (notification_id is not null)),
  -- One event, one mail.
  cause text not null unique,
  -- sending: handed over, its outcome not known yet. unknown: never sent again.
  status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed', 'unknown')),
  problem text,
  -- The mail that carries it, itself or another: several notices for one person are sent as one mail.
  sent_with uuid references mails on delete cascade,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  -- The Monday (trading clock) of the week that a report covers.
  week date check ((purpose = 'performance_report') = (week is not null))
);
create index mails_waiting on mails (user_id) where status = 'waiting';
create index mails_waiting_for_operators on mails (to_address) where status = 'waiting' and purpose = 'alarm';
create index mails_sent_with on mails (sent_with);
create index mails_of_user on mails (user_id, purpose, created_at desc);

-- Mails that the sandbox stored instead of sending.
create table sandbox_mails (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  received_at timestamptz not null default now()
);
create index sandbox_mails_of_recipient on sandbox_mails (recipient, id desc);
