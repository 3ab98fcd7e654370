// Dividends of what was traded before an ex-date and told after it. And what an order waits for, as a word of its own, so
// that the sentence beside it says it to people and to nobody else.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table holding_events
  -- The execution that was told so late that the event is made up for by this row, as account and id; empty for the event
  -- of the night itself.
  add column execution text not null default '',
  drop constraint holding_events_deployment_id_symbol_kind_date_key,
  add constraint holding_events_once unique (deployment_id, symbol, kind, date, execution),
  add constraint only_dividends_are_made_up_for check (execution = '' or kind = 'dividend');
alter table orders
  add column status_code text check (status_code in ('cancellation_asked', 'opposite_under_way', 'stop_rests'));
update orders set status_code = case status when 'working' then 'cancellation_asked' else 'opposite_under_way' end
  where (status = 'working' and status_reason = 'Its cancellation was asked for.')
    or (status = 'intended' and status_reason = 'It waits: an opposite order of the same account is under way.');
`)
    .execute(database);
}
