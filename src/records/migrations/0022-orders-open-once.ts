// Fewer indexes to write for every order and receipt: the open orders of a deployment are found through its connection,
// which therefore stays what it is, and a receipt by its time. One more is written later: an order at the broker by the
// broker's id.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
drop index orders_open_of_deployment;
-- What a broker tells names its own order. Written when an order has reached the broker, not with the intent.
create index orders_at_broker on orders (broker_connection_id, broker_order_id) where broker_order_id is not null;
-- Receipts are looked up by the time of their event, which is also the order in which they lie.
drop index receipts_of_deployment;
create index receipts_by_time on receipts using brin (at);
create function refuse_moved_deployments() returns trigger language plpgsql as $$
begin
  if exists (select from orders where deployment_id = old.id) then
    raise exception 'deployment % stays with its connection: it has orders there', old.id
      using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger deployments_stay before update of broker_connection_id on deployments for each row
  when (old.broker_connection_id <> new.broker_connection_id) execute function refuse_moved_deployments();
-- Named once: each order's deployment is looked up by the same list that counts them.
create or replace function refuse_orders_of_nobody() returns trigger language plpgsql as $$
declare
  named uuid[] := array(select deployment_id from written group by deployment_id);
  found bigint;
begin
  -- Locked as a reference locks it, so that no deployment goes away beside this.
  select count(*) into found from (select from deployments where id = any(named) for key share) as there;
  if found < cardinality(named) then
    raise exception 'an order names a deployment that is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
`)
    .execute(database);
}
