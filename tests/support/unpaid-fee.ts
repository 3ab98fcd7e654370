// A bill that its owner must pay themselves and has not paid, of a deployment that they
// made.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DatabaseHandle } from '#records/postgres/database.ts';

/** Due so many days ago, by the market's clock. Answers the bill's id. */
export async function unpaidFee(
  { database }: Pick<DatabaseHandle, 'database'>,
  deploymentId: string,
  { daysAgo, fee = 300 }: { readonly daysAgo: number; readonly fee?: number },
): Promise<string> {
  const id = randomUUID();
  await sql`update users set pays_fees_automatically = false
    where id = (select user_id from deployments where id = ${deploymentId})`.execute(database);
  await sql`
    insert into fee_bills (id, deployment_id, number, is_closing, has_estimates, period_start, period_end, ledger_through,
      capital_micro, settled_result_micro, worth_micro, high_water_before_micro, net_flow_micro, adjusted_mark_micro,
      closing_value_micro, profit_micro, fee_percent, fee_micro, high_water_after_micro, due_at)
    select ${id}, ${deploymentId}, coalesce(max(b.number), 0) + 1, false, false, now.at - make_interval(days => 30),
      now.at - make_interval(days => 6), 0, 10000000000, ${fee}::bigint * 10000000 / 3, 20000000000, 10000000000, 0,
      10000000000, 10000000000 + ${fee}::bigint * 10000000 / 3, ${fee}::bigint * 10000000 / 3, 30, ${fee}::bigint * 1000000,
      10000000000 + ${fee}::bigint * 10000000 / 3, now.at - make_interval(days => ${daysAgo})
    from (select coalesce((select market_at from heartbeats where process = 'trader'), now()) as at) now
    left join fee_bills b on b.deployment_id = ${deploymentId} group by now.at`.execute(database);
  return id;
}
