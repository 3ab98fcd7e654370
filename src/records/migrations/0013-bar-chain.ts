// Bars are written once. Each carries a seal over itself and the seal before it, so that no old bar can be changed
// without breaking the chain at that very day; the ends of all chains are written down apart, append-only.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(CHAIN + SEAL_WHAT_IS_THERE + GUARDS).execute(database);
}

const CHAIN = `
alter table bars
  -- Place in the chain of the series, in the order of writing; a removed series is never counted anew.
  add column link integer,
  -- SHA-256 of the seal before, the times and the numbers: big-endian, as integers of 8 bytes (milliseconds) and doubles.
  add column seal bytea;
-- The end of a chain after each writing. Bound to no instrument: a series that was removed stays known.
create table bar_heads (
  id bigint generated always as identity primary key,
  symbol text not null,
  interval text not null,
  source text not null,
  -- removed: the series was taken out on purpose; the next bar continues from this seal.
  kind text not null check (kind in ('added', 'removed')),
  link integer not null check (link > 0),
  -- Of the bar at that link.
  date date not null,
  seal bytea not null check (octet_length(seal) = 32),
  created_at timestamptz not null default now()
);
create index bar_heads_of_series on bar_heads (symbol, interval, source, id desc);
create function first_seal(symbol text, bar_interval text, source text) returns bytea language sql immutable as $$
  select sha256(convert_to(symbol || '|' || bar_interval || '|' || source, 'UTF8'))
$$;
create function bar_seal(previous bytea, closed_at timestamptz, opened_at timestamptz, day date,
  open float8, high float8, low float8, close float8, volume float8) returns bytea language sql immutable as $$
  select sha256(previous || int8send((extract(epoch from closed_at) * 1000)::int8)
    || int8send((extract(epoch from opened_at) * 1000)::int8) || convert_to(to_char(day, 'YYYY-MM-DD'), 'UTF8')
    || float8send(open) || float8send(high) || float8send(low) || float8send(close) || float8send(volume))
$$;
`;

/** What was stored before there were seals is sealed as it is found. */
const SEAL_WHAT_IS_THERE = `
do $$
declare
  series record;
  bar record;
  last_seal bytea;
  place integer;
  last_day date;
begin
  for series in select distinct symbol, interval, source from bars loop
    last_seal := first_seal(series.symbol, series.interval, series.source);
    place := 0;
    for bar in select * from bars b where b.symbol = series.symbol and b.interval = series.interval
      and b.source = series.source order by closed_at loop
      last_seal := bar_seal(last_seal, bar.closed_at, bar.opened_at, bar.date, bar.open, bar.high, bar.low, bar.close, bar.volume);
      place := place + 1;
      last_day := bar.date;
      update bars b set link = place, seal = last_seal where b.symbol = bar.symbol and b.interval = bar.interval
        and b.source = bar.source and b.closed_at = bar.closed_at;
    end loop;
    insert into bar_heads (symbol, interval, source, kind, link, date, seal)
    values (series.symbol, series.interval, series.source, 'added', place, last_day, last_seal);
  end loop;
end $$;
alter table bars alter column link set not null, alter column seal set not null;
`;

const GUARDS = `
create trigger bar_heads_append_only before update or delete on bar_heads
  for each row execute function refuse_change();
create trigger bar_heads_not_truncated before truncate on bar_heads
  for each statement execute function refuse_change();
create trigger bars_written_once before update on bars
  for each row execute function refuse_change();
create trigger bars_not_truncated before truncate on bars
  for each statement execute function refuse_change();
-- A whole series can be taken out by the command for it, which writes that down in bar_heads.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  if current_setting('bellwether.removes_series', true) is distinct from 'on' then
    raise exception 'bars are removed as whole series only, by the command that writes it down';
  end if;
  return old;
end $$;
create trigger bars_not_removed before delete on bars for each row execute function refuse_removal();
`;
