// The one person of an installation that was started with the keys of their own account.
import path from 'node:path';

export const OWNER_EMAIL = 'owner@bellwether.example';

/** The owner's first password, readable only to the user that runs the product. */
export function ownerPasswordFile(dataDir: string): string {
  return path.join(dataDir, 'keys', 'owner-password');
}
