// How much a strategy asks for in one position, as fractions of equity: {usual, largest}. Null in results from before
// it was measured, and where a strategy has asked for nothing.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table backtests add column position_sizes jsonb`).execute(database);
}
