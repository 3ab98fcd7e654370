// The versions of a draft with what a backtest found of each: one row a version, newest first.
import { sql } from 'kysely';
import type { PublishedFigures } from '#engine/evidence/published-record.ts';
import type { StrategyId, StrategyVersionId } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Database } from '../postgres/database.ts';

export type DraftVersion = {
  readonly number: number;
  readonly id: StrategyVersionId;
  readonly definition: unknown;
  readonly committedAt: Date;
  /** Of its newest result; null where it was never tested. */
  readonly result: {
    readonly figures: PublishedFigures;
    readonly firstDate: IsoDate;
    readonly lastDate: IsoDate;
  } | null;
};

export async function listDraftVersions(
  database: Database,
  strategyId: StrategyId,
  { most }: { readonly most: number },
): Promise<readonly DraftVersion[]> {
  const { rows } = await sql<{
    number: number;
    id: StrategyVersionId;
    definition: unknown;
    committed_at: Date;
    figures: PublishedFigures | null;
    first_date: IsoDate | null;
    last_date: IsoDate | null;
  }>`
    select v.number, v.id, v.definition, v.committed_at, b.figures,
      b.first_date::text as first_date, b.last_date::text as last_date
    from strategy_versions v
    left join lateral (
      select figures, first_date, last_date from backtests
      where strategy_version_id = v.id order by data_as_of desc, created_at desc limit 1
    ) b on true
    where v.strategy_id = ${strategyId}
    order by v.number desc
    limit ${most}`.execute(database);
  return rows.map(({ number, id, definition, committed_at, figures, first_date, last_date }) => ({
    number,
    id,
    definition,
    committedAt: committed_at,
    result:
      figures === null || first_date === null || last_date === null
        ? null
        : { figures, firstDate: first_date, lastDate: last_date },
  }));
}
