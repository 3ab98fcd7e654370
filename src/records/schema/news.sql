-- Where news goes outside of the product, besides mail and webhooks: browsers that take pushes, and Telegram chats.
create table news_addresses (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  channel text not null check (channel in ('push', 'telegram')),
  -- As its owner knows it: the browser, or the name in the chat.
  name text not null,
  -- JSON. Whoever has the address of a browser can send to it.
  sealed_address bytea not null,
  sealed_with text generated always as (sealing_key_of(sealed_address)) stored references keyring,
  -- SHA-256 of the address: a browser or a chat gets the news of one person.
  fingerprint bytea not null,
  -- The key that a browser was given: it takes nothing that another one signed.
  vapid_key text references keyring,
  created_at timestamptz not null,
  constraint one_person_each unique (channel, fingerprint),
  constraint push_has_key check ((channel = 'push') = (vapid_key is not null))
);
create index news_addresses_of_user on news_addresses (user_id);

create table news_deliveries (
  -- Sent with each attempt: a browser shows it once.
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- Null once the address is gone: what became of its news stays.
  address_id uuid references news_addresses on delete set null,
  channel text not null,
  address_name text not null,
  -- Null: a test that its owner asked for.
  notification_id uuid references notifications on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'taken', 'failed')),
  attempts integer not null default 0,
  problem text,
  created_at timestamptz not null default clock_timestamp(),
  tried_at timestamptz,
  constraint one_of_each_notice unique (address_id, notification_id)
);
create index news_deliveries_of_user on news_deliveries (user_id, created_at desc);

-- One at a time for each person: what they send the bot, so that it knows whose chat it is. The hash alone is kept.
create table telegram_codes (
  user_id uuid primary key references users on delete cascade,
  code_hash bytea not null unique,
  expires_at timestamptz not null
);
