// The strategies that a person watches.
import { sql } from 'kysely';
import type { StrategyId, UserId } from '#units/identifiers.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Database } from '../postgres/database.ts';

type Watched = { readonly userId: UserId; readonly strategyId: string };

/** Published ones, newest first. */
export async function listWatchedStrategies(
  database: Database,
  userId: UserId,
): Promise<readonly StrategyId[]> {
  const { rows } = await sql<{ id: StrategyId }>`
    select s.id from watched_strategies w join strategies s on s.id = w.strategy_id
    where w.user_id = ${userId} and s.status = 'published' order by w.since desc, s.id`.execute(database);
  return rows.map(({ id }) => id);
}

/** False where no published strategy has this id. */
export async function watchStrategy(database: Database, { userId, strategyId }: Watched): Promise<boolean> {
  if (!isUuid<StrategyId>(strategyId)) return false;
  const { rows } = await sql`
    with known as (select id from strategies where id = ${strategyId} and status = 'published'),
      kept as (insert into watched_strategies (user_id, strategy_id) select ${userId}, id from known
        on conflict do nothing)
    select from known`.execute(database);
  return rows.length > 0;
}

/** False where they do not watch it. */
export async function unwatchStrategy(database: Database, { userId, strategyId }: Watched): Promise<boolean> {
  if (!isUuid<StrategyId>(strategyId)) return false;
  const { rows } = await sql`
    delete from watched_strategies where user_id = ${userId} and strategy_id = ${strategyId} returning 1`.execute(
    database,
  );
  return rows.length > 0;
}
