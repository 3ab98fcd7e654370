import { createHash } from 'node:crypto';

/** Only the hash of a state is stored: read access to the table does not let anyone finish a sign-in. */
export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
