// Corrections of the books by hand: what a person proposed for a difference or for an execution that is held, what
// another one decided about it, and what the trader made of that.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(PROPOSALS + FACTS + VIEW).execute(database);
}

const PROPOSALS = `
create table book_corrections (
  id uuid primary key,
  account_id text not null,
  -- Whose desk carries it out.
  connection_id uuid not null references broker_connections,
  -- What it answers: a difference, or an execution that is held, as it was seen when it was proposed.
  difference_id uuid references book_differences,
  execution_id text,
  seen text not null,
  -- correction: of the books of one deployment. external: it is of others, and no deployment's.
  closes_as text not null check (closes_as in ('correction', 'external')),
  deployment_id uuid references deployments,
  symbol text not null,
  -- A booked execution that counts no more.
  undoes_execution text,
  -- Signed: what is booked, or counts as traded by others.
  units numeric not null,
  -- In the quote currency.
  price numeric check (price > 0),
  commission_micro bigint not null default 0,
  because text not null,
  proposed_by uuid not null references users,
  -- Real clock, but for applied_at.
  proposed_at timestamptz not null default clock_timestamp(),
  status text not null default 'open' check (status in ('open', 'approved', 'declined', 'void', 'applied')),
  decided_by uuid references users,
  decided_at timestamptz,
  -- Why it was declined or is void.
  outcome text,
  ended_at timestamptz,
  -- What the trader booked, and when by the market's clock.
  applied_at timestamptz,
  net_units numeric,
  cash_micro bigint,
  realized_micro bigint,
  net_commission_micro bigint,
  -- What the new execution realised, for whoever undoes that one.
  booked_profit_micro bigint,
  -- Of the order whose execution was undone: by how much more or less of it counts as filled, in units of then.
  order_id uuid references orders,
  filled_change numeric,
  -- What its owner reads.
  told text,
  constraint four_eyes check (status not in ('approved', 'applied')
    or (decided_by is not null and decided_by <> proposed_by)),
  constraint answers_one_thing check ((difference_id is null) <> (execution_id is null)),
  constraint of_a_deployment check ((closes_as = 'correction') = (deployment_id is not null)),
  constraint books_something check (closes_as = 'external' or units <> 0 or undoes_execution is not null),
  constraint has_a_price check (closes_as = 'external' or units = 0 or price is not null),
  constraint applied_whole check ((status = 'applied') = (applied_at is not null)),
  foreign key (account_id, execution_id) references broker_inbox
);
create unique index book_corrections_of_difference on book_corrections (difference_id) where status in ('open', 'approved');
create unique index book_corrections_of_execution on book_corrections (account_id, execution_id)
  where status in ('open', 'approved', 'applied');
create unique index book_corrections_undo_once on book_corrections (account_id, undoes_execution)
  where status in ('open', 'approved', 'applied');
create index book_corrections_to_apply on book_corrections (connection_id) where status = 'approved';
create index book_corrections_of_order on book_corrections (order_id) where order_id is not null;
create index book_corrections_of_deployment on book_corrections (deployment_id, applied_at desc) where status = 'applied';
-- Who decides, decides about what was proposed; and what has ended stays as it ended.
create function guard_book_correction() returns trigger language plpgsql as $$
declare
  life text[] := '{status,decided_by,decided_at,outcome,ended_at,applied_at,net_units,cash_micro,realized_micro,net_commission_micro,booked_profit_micro,order_id,filled_change,told}';
begin
  if tg_op = 'DELETE' or old.status in ('declined', 'void', 'applied')
    or to_jsonb(old) - life <> to_jsonb(new) - life
    or (new.status <> old.status and not (old.status, new.status) in (('open', 'approved'), ('open', 'declined'),
      ('open', 'void'), ('approved', 'declined'), ('approved', 'void'), ('approved', 'applied'))) then
    raise exception 'a correction of the books is decided once, and as it was proposed';
  end if;
  return new;
end $$;
create trigger book_corrections_guarded before update or delete on book_corrections
  for each row execute function guard_book_correction();
create trigger audited after insert or update on book_corrections for each row
  execute function audit_row('book_correction', 'account_id difference_id execution_id closes_as deployment_id symbol undoes_execution units price commission_micro because status outcome');
`;

const FACTS = `
alter table holding_events
  drop constraint holding_events_kind_check,
  add constraint holding_events_kind_check
    check (kind in ('split', 'dividend', 'swap', 'expiry', 'exercise', 'assignment', 'correction')),
  drop constraint only_dividends_are_made_up_for,
  -- Of a correction it is the id of what was proposed.
  add constraint only_dividends_are_made_up_for check (execution = '' or kind in ('dividend', 'correction'));
create unique index corrections_once on holding_events (execution) where kind = 'correction';
create index corrections_by_time on holding_events (at) where kind = 'correction';
`;

const VIEW = `
create view audit_corrections as
  select k.id as correction_id, k.deployment_id, k.connection_id, k.account_id, k.symbol as instrument, k.closes_as,
    k.undoes_execution as undoes_execution_id, k.execution_id, k.units as quantity, k.net_units as net_quantity, k.price,
    k.cash_micro, k.realized_micro, k.net_commission_micro as commission_micro, k.because, k.status, k.proposed_by,
    k.decided_by, k.applied_at
  from book_corrections k;
do $$
begin
  if exists (select from pg_roles where rolname = 'auditor') then grant select on audit_corrections to auditor; end if;
exception when insufficient_privilege then
  raise notice 'grant the role auditor select on audit_corrections';
end $$;
`;
