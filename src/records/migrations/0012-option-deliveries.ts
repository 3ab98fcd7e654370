// Options that end in shares: what happened to a holding may be an exercise or an assignment. And positions that are
// closed because margin asks for it.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table holding_events drop constraint holding_events_kind_check;
alter table holding_events add constraint holding_events_kind_check
  check (kind in ('split', 'dividend', 'swap', 'expiry', 'exercise', 'assignment'));
alter table orders drop constraint orders_purpose_check;
alter table orders add constraint orders_purpose_check
  check (purpose in ('rebalance', 'stop_loss', 'liquidation', 'margin_call'));
`)
    .execute(database);
}
