import type { Kysely } from 'kysely';
import type { StrategyId } from '#units/identifiers.ts';
import { isUuid } from '../postgres/is-uuid.ts';
import type { Tables } from '../tables.ts';

export type Thumbnail = { readonly webp: Buffer; readonly hash: string };

export async function saveThumbnail(
  database: Kysely<Tables>,
  strategyId: StrategyId,
  { webp, hash }: Thumbnail,
): Promise<void> {
  await database
    .insertInto('strategy_thumbnails')
    .values({ strategy_id: strategyId, webp, hash })
    .onConflict((conflict) => conflict.column('strategy_id').doUpdateSet({ webp, hash }))
    .execute();
}

/** The hash is required too: only users who were shown the strategy know it. */
export async function findThumbnail(
  database: Kysely<Tables>,
  { strategyId, hash }: { readonly strategyId: string; readonly hash: string },
): Promise<Buffer | undefined> {
  if (!isUuid<StrategyId>(strategyId)) return undefined;
  const row = await database
    .selectFrom('strategy_thumbnails')
    .select('webp')
    .where('strategy_id', '=', strategyId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.webp;
}
