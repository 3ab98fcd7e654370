// The files of a signing key: the key itself, the next one while it is being made, and the public halves of former ones, which the
// database cannot reach. A crash between any two steps leaves files that a start can go on with.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export type FormerKey = {
  readonly id: string;
  /** PEM: the public key, or the certificate. */
  readonly publicPart: string;
  /** When it was replaced; real clock. */
  readonly until: string;
  /** Of an anchor key: the number of the last anchor that it signed. */
  readonly last: number | null;
};

export function nextFileOf(file: string): string {
  return file.replace(/\.pem$/, '.next.pem');
}

export function formerFileOf(file: string): string {
  return file.replace(/\.pem$/, '.former.json');
}

/** Newest last. */
export function readFormerKeys(file: string): readonly FormerKey[] {
  const former = formerFileOf(file);
  if (!existsSync(former)) return [];
  try {
    const read = JSON.parse(readFileSync(former, 'utf8')) as readonly FormerKey[];
    if (Array.isArray(read) && read.every(isFormerKey)) return read;
  } catch {
    // Said below, with the file.
  }
  throw new Error(`${former} is no list of former keys: put the file back from a copy`);
}

/** In the place of an earlier note of the same key, which a crash may have left. */
export function noteFormerKey(file: string, former: FormerKey): void {
  const others = readFormerKeys(file).filter(({ id }) => id !== former.id);
  const draft = `${formerFileOf(file)}.draft`;
  writeFileSync(draft, `${JSON.stringify([...others, former], null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, formerFileOf(file));
}

/** Another process may do the same. */
export function takeNextKey(file: string): void {
  try {
    renameSync(nextFileOf(file), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function isFormerKey(one: Partial<Record<keyof FormerKey, unknown>>): boolean {
  return (
    [one.id, one.publicPart, one.until].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(String(one.until))) &&
    (one.last === null || Number.isSafeInteger(one.last))
  );
}
