import { createHash } from 'node:crypto';

/** A UUID of version 8, derived from what is paid: the same payment has the same id after any crash. */
export function chargeIdOf(paid: string): string {
  const hex = createHash('sha256').update(paid).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
