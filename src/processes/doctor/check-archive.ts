// Whether the log of the database reaches its archive. Where none is set up there is nothing to say.
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { type Finding, fit, unfit } from './finding.ts';

export type ArchiveState = {
  readonly mode: string;
  /** As text of PostgreSQL; null: none. */
  readonly lastArchived: string | null;
  /** Of a segment that has not been archived since. */
  readonly failed: string | null;
};

export async function checkArchive({ pool }: Pick<DatabaseHandle, 'pool'>): Promise<readonly Finding[]> {
  const { rows } = await pool.query<ArchiveState>(`
    select current_setting('archive_mode') as mode, last_archived_time::text as "lastArchived",
      case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_wal end as failed
    from pg_stat_archiver`);
  return judgeArchive(rows[0]!);
}

export function judgeArchive({ mode, lastArchived, failed }: ArchiveState): readonly Finding[] {
  if (mode === 'off') return [];
  if (failed !== null)
    return [
      unfit(
        'archive of the log',
        `segment ${failed} could not be archived: is the disk of the backups full, or away?`,
      ),
    ];
  return [
    fit('archive of the log', lastArchived === null ? 'nothing was archived yet' : `last at ${lastArchived}`),
  ];
}
