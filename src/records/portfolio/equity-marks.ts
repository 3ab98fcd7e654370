// One row per deployment and trading day: the last valuation of that day, with the benchmark's close.
import { sql, type Transaction } from 'kysely';
import type { EquityMark } from '#engine/execution/deployment/state-transition.ts';
import { isoText } from '#units/instant.ts';
import { fromQuantity } from '#units/quantity.ts';
import type { Tables } from '../tables.ts';

/**
 * The last mark of a day wins; an earlier mark than the stored one changes nothing, and neither does a mark of a day once
 * the next day has begun: the holdings by then are not the ones that day closed with.
 */
export async function upsertEquityMarks(
  trx: Transaction<Tables>,
  marks: readonly EquityMark[],
): Promise<void> {
  if (marks.length === 0) return;
  const column = <Value>(pick: (mark: EquityMark) => Value) => marks.map(pick);
  await sql`
    insert into equity_marks (deployment_id, date, at, cash_micro, positions_micro, equity_micro, benchmark, held, follows)
    select mark.* from unnest(
      ${column((m) => m.deploymentId)}::uuid[],
      ${column((m) => m.date)}::date[],
      ${column((m) => isoText(m.at))}::timestamptz[],
      ${column((m) => m.cash)}::bigint[],
      ${column((m) => m.positions)}::bigint[],
      ${column((m) => m.equity)}::bigint[],
      ${column((m) => m.benchmark)}::numeric[],
      ${column((m) => heldText(m.holdings))}::jsonb[],
      ${column((m) => m.follows)}::boolean[]
    ) as mark (deployment_id, date, at, cash_micro, positions_micro, equity_micro, benchmark, held, follows)
    where not exists (select from equity_marks later where later.deployment_id = mark.deployment_id and later.date > mark.date)
    on conflict (deployment_id, date) do update set
      at = excluded.at, cash_micro = excluded.cash_micro, positions_micro = excluded.positions_micro,
      equity_micro = excluded.equity_micro, held = excluded.held, follows = excluded.follows, benchmark = coalesce(excluded.benchmark, equity_marks.benchmark)
    where equity_marks.at <= excluded.at`.execute(trx);
}

function heldText(holdings: EquityMark['holdings']): string {
  const held = [...holdings.values()].map(({ symbol, quantity, markPrice }) => [
    symbol,
    { units: fromQuantity(quantity), price: markPrice },
  ]);
  return JSON.stringify(Object.fromEntries(held));
}
