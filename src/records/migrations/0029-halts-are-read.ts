// A halt is read from the switches themselves; what deployments said of one goes.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    update deployments set status_reason = null, revision = revision + 1
    where status_reason = 'You have halted all your trading. No order is sent until you lift that.'
      or starts_with(status_reason, 'Trading is halted by the provider: ')`.execute(database);
}
