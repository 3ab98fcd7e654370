// Work is shared by shard: a broker connection and its deployments belong to one of 64, and each shard to at most one
// trader at a time. All times here are the database's own clock.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- The last byte of the id: random in every version of uuid that we make, and computed by the trader in the same way.
create function shard_of(connection uuid) returns integer
  language sql immutable parallel safe return get_byte(uuid_send(connection), 15) & 63;
create table traders (
  id uuid primary key,
  -- An advisory lock that the trader's own connection holds: free means that the trader is gone.
  lock_key bigint not null unique,
  expires_at timestamptz not null,
  started_at timestamptz not null default clock_timestamp()
);
create table trading_shards (
  -- 0 to 63; 64 is the market: bars and evaluations, done once for everybody.
  shard integer primary key,
  holder uuid,
  -- Grows with every change of holder. A transaction that holds a key-share lock of the row with its own fence cannot
  -- be overtaken; renewals, which leave the key alone, do not wait for it.
  fence bigint not null default 0,
  expires_at timestamptz not null default clock_timestamp(),
  unique (shard, fence)
);
insert into trading_shards (shard) select generate_series(0, 64);
alter table nights_passed add column shard integer not null default 0;
alter table nights_passed drop constraint nights_passed_pkey;
insert into nights_passed (calendar, date, shard)
  select calendar, date, s from nights_passed, generate_series(1, 64) as s;
alter table nights_passed alter column shard drop default;
alter table nights_passed add primary key (calendar, shard);
`)
    .execute(database);
}
