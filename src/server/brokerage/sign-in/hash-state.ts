import { createHash } from 'node:crypto';

/** Only the hash of a state is kept: who reads the table cannot finish someone's sign-in. */
export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
