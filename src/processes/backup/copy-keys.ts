// A copy of the keys, apart from the backups of the data: whoever has both can read what is sealed.
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../environment/environment.ts';
import { backupFolderOf, isWithin } from '../database/wal-archive.ts';

type Keys = Pick<Environment, 'dataDir' | 'keyEncryptionKeyFile' | 'keyService' | 'backupDir'>;

/** Each copy is a folder of its own: a restore to an earlier moment needs the keys of then. Returns its path. */
export function copyKeys(environment: Keys, to: string, at: string): string {
  const { dataDir, keyEncryptionKeyFile, keyService } = environment;
  const target = path.resolve(to);
  const backups = environment.backupDir ?? backupFolderOf(dataDir);
  for (const other of [dataDir, ...(backups === null ? [] : [backups])])
    if (isWithin(target, other) || isWithin(other, target))
      throw new Error(`${target} lies with ${other}: keys are kept apart from data. Choose another folder`);
  const keys = path.join(dataDir, 'keys');
  const folder = path.join(target, at.replaceAll(':', '-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (existsSync(keys)) cpSync(keys, path.join(folder, 'keys'), { recursive: true });
  // In Vault it has its own backup.
  const isElsewhere = keyService === null && !isWithin(keyEncryptionKeyFile, keys);
  if (isElsewhere) cpSync(keyEncryptionKeyFile, path.join(folder, path.basename(keyEncryptionKeyFile)));
  return folder;
}
