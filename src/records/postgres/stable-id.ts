import { createHash } from 'node:crypto';

/** The same name gives the same UUID (version 8: from a SHA-256), so that links survive a new database. */
export function stableId(name: string): string {
  const hex = createHash('sha256').update(`bellwether:${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
