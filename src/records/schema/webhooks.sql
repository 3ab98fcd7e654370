-- Addresses of a person to which notices are posted, signed, and what became of each.
create table webhooks (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  url text not null,
  -- Which kinds of news: see rules/notifications/choices.ts.
  news text[] not null check (cardinality(news) > 0 and news <@ '{fills,risk,updates,fees,security}'),
  -- JSON: the newest secret, and the one before it while that still signs.
  sealed_secrets bytea not null,
  sealed_with text generated always as (sealing_key_of(sealed_secrets)) stored references keyring,
  -- Real clock, all of these. Until when the former secret signs as well.
  former_until timestamptz,
  created_at timestamptz not null,
  -- Since when no delivery has been taken; null after one that was.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('owner', 'failing', 'gone')),
  constraint disabled_says_why check ((disabled_at is null) = (disabled_because is null))
);
create index webhooks_of_user on webhooks (user_id);
create table webhook_deliveries (
  -- Sent as webhook-id, the same at each attempt: a receiver takes each once.
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  webhook_id uuid not null references webhooks on delete cascade,
  -- Null: a test that its owner asked for.
  notification_id uuid references notifications on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'taken', 'failed')),
  attempts integer not null default 0,
  -- The HTTP status of the last answer; null where there was none.
  answered integer,
  problem text,
  created_at timestamptz not null default clock_timestamp(),
  tried_at timestamptz,
  constraint one_delivery unique (webhook_id, notification_id)
);
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, created_at desc);
