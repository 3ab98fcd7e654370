// Executions that were told after a split had been applied to what they traded.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- How many units of the day of its booking one unit of an execution was. Quantity and price stay the broker's own.
alter table fills add column split_ratio numeric not null default 1 check (split_ratio > 0);
`)
    .execute(database);
}
