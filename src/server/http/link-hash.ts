import { createHash } from 'node:crypto';

/** What is stored of the secret of a link. */
export function linkHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
