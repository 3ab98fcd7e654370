// Whether the log of the database reaches its archive, in PostgreSQL's own words.
import type { DatabaseHandle } from '../postgres/database.ts';

export type ArchiveState = {
  readonly mode: string;
  /** As text of PostgreSQL; null: none. */
  readonly lastArchived: string | null;
  /** Of a segment that has not been archived since. */
  readonly failed: string | null;
};

export async function readArchive({ pool }: Pick<DatabaseHandle, 'pool'>): Promise<ArchiveState> {
  const { rows } = await pool.query<ArchiveState>(`
    select current_setting('archive_mode') as mode, last_archived_time::text as "lastArchived",
      case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_wal end as failed
    from pg_stat_archiver`);
  return rows[0]!;
}
