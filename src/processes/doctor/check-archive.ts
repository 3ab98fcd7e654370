// Whether the log of the database reaches its archive. Where none is set up there is nothing to say.
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { type ArchiveState, readArchive } from '#records/recovery/archive-state.ts';
import { type Finding, fit, unfit } from './finding.ts';

export async function checkArchive(records: Pick<DatabaseHandle, 'pool'>): Promise<readonly Finding[]> {
  return judgeArchive(await readArchive(records));
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
