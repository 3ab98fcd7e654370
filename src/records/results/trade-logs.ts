// The closed trades of a result for a file, and the download links to non-public ones.
import { sql } from 'kysely';
import type { PublishedTrade } from '#engine/evidence/published-record.ts';
import type { BacktestId, StrategyId, UserId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';
import { isUuid } from '../postgres/is-uuid.ts';

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

type NewTradeLogLink = {
  readonly hash: Buffer;
  readonly strategyId: StrategyId;
  readonly userId: UserId;
  readonly backtestId: BacktestId;
  readonly at: Instant;
  readonly expiresAt: Instant;
};

/** Also deletes this person's expired links. */
export async function createTradeLogLink(database: Database, link: NewTradeLogLink): Promise<void> {
  await database
    .deleteFrom('trade_log_links')
    .where('user_id', '=', link.userId)
    .where('expires_at', '<=', new Date(link.at))
    .execute();
  await database
    .insertInto('trade_log_links')
    .values({
      token_hash: link.hash,
      strategy_id: link.strategyId,
      user_id: link.userId,
      backtest_id: link.backtestId,
      expires_at: isoText(link.expiresAt),
    })
    .execute();
}

type Shown = { readonly hash: Buffer; readonly strategyId: string; readonly at: Instant };

/** Uses the link up: of two concurrent uses one finds it. Undefined when used, expired or of another strategy. */
export async function takeTradeLogLink(
  database: Database,
  { hash, strategyId, at }: Shown,
): Promise<BacktestId | undefined> {
  if (!isUuid<StrategyId>(strategyId)) return undefined;
  const row = await database
    .deleteFrom('trade_log_links')
    .where('token_hash', '=', hash)
    .where('strategy_id', '=', strategyId)
    .where('expires_at', '>', new Date(at))
    .returning('backtest_id')
    .executeTakeFirst();
  return row?.backtest_id;
}
