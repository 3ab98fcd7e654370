// Heartbeats of each process, with the trading clock that it saw.
import { type Kysely, sql } from 'kysely';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import { parseWallInstant, type WallInstant, wallText } from '#units/wall-instant.ts';
import type { Tables } from '../tables.ts';

type Heartbeat = {
  readonly process: string;
  readonly beatAt: WallInstant;
  /** Trading clock; null while it is not known. */
  readonly marketAt: Instant | null;
  readonly details: object;
};

export async function beat(database: Kysely<Tables>, heartbeat: Heartbeat): Promise<void> {
  const row = {
    beat_at: wallText(heartbeat.beatAt),
    market_at: heartbeat.marketAt === null ? null : isoText(heartbeat.marketAt),
    details: JSON.stringify(heartbeat.details),
  };
  await database
    .insertInto('heartbeats')
    .values({ process: heartbeat.process, ...row })
    .onConflict((conflict) =>
      conflict.column('process').doUpdateSet({
        ...row,
        details: sql`excluded.details || jsonb_strip_nulls(jsonb_build_object('market_seen_at', heartbeats.details -> 'market_seen_at'))`,
      }),
    )
    .execute();
}

/**
 * Sent before anything is written at this market time, by whichever trader writes it: one that takes over some shards may be
 * ahead of the one whose beat counts, and nothing takes it back.
 */
export async function noteMarketSeen(database: Kysely<Tables>, process: string, at: Instant): Promise<void> {
  await database
    .updateTable('heartbeats')
    .set({
      details: sql`details || jsonb_build_object('market_seen_at',
        greatest(${isoText(at)}::text, details ->> 'market_seen_at'))`,
    })
    .where('process', '=', process)
    .execute();
}

export async function findHeartbeat(
  database: Kysely<Tables>,
  process: string,
): Promise<Heartbeat | undefined> {
  const row = await database
    .selectFrom('heartbeats')
    .selectAll()
    .where('process', '=', process)
    .executeTakeFirst();
  return (
    row && {
      process: row.process,
      beatAt: parseWallInstant(row.beat_at),
      marketAt: row.market_at && parseInstant(row.market_at),
      details: row.details as object,
    }
  );
}
