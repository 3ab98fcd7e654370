import { createHash, randomBytes } from 'node:crypto';
import type { leavingEndpoints } from '#contract/leaving.ts';
import { createExportLink as keepLink } from '#records/leaving/export-links.ts';
import { instant, isoText, MINUTE_MS } from '#units/instant.ts';
import type { Call } from '../http/call.ts';

/** 256 random bits; only the hash is stored. */
export const createExportLink: Call<typeof leavingEndpoints.createExportLink> = async (
  { caller },
  { records, now },
) => {
  const token = randomBytes(32).toString('base64url');
  const at = now();
  // Long enough for a browser to open it at once, too short to be passed on.
  const expiresAt = instant(at + MINUTE_MS);
  await keepLink(records.database, { hash: linkHash(token), userId: caller.userId, at, expiresAt });
  return { url: `/api/account/export/file?link=${token}`, expires_at: isoText(expiresAt) };
};

export function linkHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
