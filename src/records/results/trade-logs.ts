// The closed trades of a result, for a file.
import { sql } from 'kysely';
import type { PublishedTrade } from '#engine/evidence/published-record.ts';
import type { BacktestId, StrategyId } from '#units/identifiers.ts';
import type { Database } from '../postgres/database.ts';

const TRADES_A_PART = 500;

/** Oldest first, in pages: each page is its own statement, so that a slow reader holds no connection. */
export async function* readTradeLog(
  database: Database,
  id: BacktestId,
): AsyncGenerator<readonly PublishedTrade[]> {
  for (let from = 0; ; from += TRADES_A_PART) {
    const path = `$[${from} to ${from + TRADES_A_PART - 1}]`;
    const { part } = await database
      .selectFrom('backtests')
      .select(sql<PublishedTrade[]>`jsonb_path_query_array(trades, ${path}::jsonpath)`.as('part'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (part.length > 0) yield part;
    if (part.length < TRADES_A_PART) return;
  }
}

/** The newest result of the newest version, public or not. */
export async function findNewestResult(database: Database, id: StrategyId): Promise<BacktestId | undefined> {
  const row = await database
    .selectFrom('strategy_versions as v')
    .leftJoin('backtests as b', 'b.strategy_version_id', 'v.id')
    .select('b.id')
    .where('v.strategy_id', '=', id)
    .orderBy('v.number', 'desc')
    .orderBy('b.last_date', 'desc')
    .orderBy('b.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.id ?? undefined) as BacktestId | undefined;
}
