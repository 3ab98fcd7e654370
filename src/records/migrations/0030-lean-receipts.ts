// A receipt says why something was not ordered; what was ordered at the event stands in the orders, under its time.
// A deployment never goes away, so that its orders need no lock to keep it there.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table receipts add column refusals jsonb;
update receipts set refusals = nullif(decisions -> 'refusals', '[]'),
  cause = case when target_id is null then cause else 'target' end;
alter table receipts drop column decisions;
-- Only what was refused is looked up by its deployment: any other receipt is written without a look at this index.
create index receipts_with_refusals on receipts (deployment_id, at desc) where refusals is not null;
create or replace function refuse_orphans() returns trigger language plpgsql as $$
begin
  raise exception 'deployment % stays: it ends, and is never removed', old.id using errcode = 'foreign_key_violation';
end $$;
create or replace function refuse_orders_of_nobody() returns trigger language plpgsql as $$
declare
  named uuid[] := array(select deployment_id from written group by deployment_id);
begin
  if (select count(*) from deployments where id = any(named)) < cardinality(named) then
    raise exception 'an order names a deployment that is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
`)
    .execute(database);
}
