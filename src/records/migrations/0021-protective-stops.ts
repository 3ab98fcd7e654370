// Orders that rest at the broker to protect a position. The database itself refuses a second one for the same position.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table orders drop constraint orders_purpose_check;
alter table orders add constraint orders_purpose_check
  check (purpose in ('rebalance', 'stop_loss', 'liquidation', 'margin_call', 'protective'));
create unique index one_protective_order on orders (deployment_id, symbol)
  where purpose = 'protective' and status in ('intended', 'sending', 'working', 'unknown');
create index protective_orders on orders (deployment_id, symbol) where purpose = 'protective';
-- Exits are counted by deployment at each decision; what only rests is none of them.
drop index exit_orders;
create index exit_orders on orders (deployment_id) where purpose <> 'rebalance' and purpose <> 'protective';
`)
    .execute(database);
}
