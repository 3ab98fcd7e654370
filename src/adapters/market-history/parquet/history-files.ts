// The files of the store on the disk: opened against their seals, and put in place whole or not at all.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { HistoryFault } from '#engine/market-data/history-fault.ts';
import type { HistoryAnswer, HistoryFile } from '#ports/market-history.ts';
import { BAR_COLUMNS, dateOfDay } from './bar-columns.ts';
import {
  fileSeal,
  findChangedGroup,
  isAsWritten,
  type ParquetFile,
  readColumn,
  readParquet,
} from './parquet-file.ts';

type SealedFile = { readonly parquet: ParquetFile; readonly seal: string };

/** Every byte is checked: a file that is given out is the one that was written. */
export function openHistoryFile(
  folder: string,
  { file, seals, rowGroups }: HistoryFile,
): HistoryAnswer<SealedFile> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path.join(folder, file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return failed(file, 'missing');
  }
  const read = readParquet(bytes);
  if (read === null) return hasMagic(bytes) ? failed(file, 'changed', 0) : failed(file, 'not_parquet');
  const changed = findChangedGroup(file, read);
  if (changed !== null)
    return { ok: false, fault: { ...fault(file, 'changed', changed), days: daysOf(read, changed) } };
  const seal = fileSeal(bytes, read);
  if (seals.includes(seal)) return { ok: true, value: { parquet: read, seal } };
  // With all of its row groups it is no older copy: what differs is in the footer.
  return isAsWritten(bytes, read) && read.rowGroups.length !== rowGroups
    ? failed(file, 'unknown')
    : failed(file, 'changed', 0);
}

/** After a crash at any moment there is the old file or the new one, and perhaps one with another ending beside it. */
export function putHistoryFile(folder: string, file: string, bytes: Buffer): void {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  const temporary = `${place}.writing`;
  const handle = openSync(temporary, 'w');
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, place);
  syncFolder(path.dirname(place));
}

export function hasFile(folder: string, file: string): boolean {
  return existsSync(path.join(folder, file));
}

/** Answers its new name. */
export function setHistoryFileAside(folder: string, file: string): string | null {
  if (!hasFile(folder, file)) return null;
  const place = path.join('removed', file);
  mkdirSync(path.dirname(path.join(folder, place)), { recursive: true });
  renameSync(path.join(folder, file), path.join(folder, place));
  return path.join(folder, place);
}

/** So that the new name outlasts a loss of power too; Windows has no such call for folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function hasMagic(bytes: Buffer): boolean {
  return (
    bytes.subarray(0, 4).toString('latin1') === 'PAR1' && bytes.subarray(-4).toString('latin1') === 'PAR1'
  );
}

function daysOf(file: ParquetFile, rowGroup: number): HistoryFault['days'] {
  const group = file.rowGroups[rowGroup - 1]!;
  try {
    const days = new Float64Array(group.rows);
    readColumn(file, { group, column: BAR_COLUMNS.date }, days);
    return { from: dateOfDay(days[0]!), to: dateOfDay(days.at(-1)!) };
  } catch (error) {
    // The changed byte may be one of this very column.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function fault(file: string, code: HistoryFault['code'], rowGroup: number | null = null): HistoryFault {
  return { file, code, rowGroup, days: null };
}

function failed(file: string, code: HistoryFault['code'], rowGroup: number | null = null) {
  return { ok: false, fault: fault(file, code, rowGroup) } as const;
}
