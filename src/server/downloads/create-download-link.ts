import { randomBytes } from 'node:crypto';
import { EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import type { downloadsEndpoints } from '#contract/downloads.ts';
import { createDownloadLink as keepLink } from '#records/downloads/download-links.ts';
import { instant, isoText, MINUTE_MS } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { linkHash } from '../http/link-hash.ts';
import { refuseUnconfirmed } from '../http/refuse-unconfirmed.ts';
import { refuse } from '../http/refusal.ts';

/** 256 random bits; only the hash is stored. Whether the file is the caller's is asked when it is opened. */
export const createDownloadLink: Call<typeof downloadsEndpoints.createDownloadLink> = async (
  { caller, body: { address } },
  dependencies,
) => {
  const { records, now } = dependencies;
  const file = findFile(address);
  if (file === undefined)
    return refuse('invalid_field', 'address: name a private file, such as /api/fees/bills/{id}/csv/.', {
      field: 'address',
    });
  if (file.confirms !== undefined) {
    const refused = await refuseUnconfirmed(caller, file.confirms, dependencies);
    if (refused !== null) return refused;
  }
  const token = randomBytes(32).toString('base64url');
  const at = now();
  // Long enough for a browser to open it at once, too short to be passed on.
  const expiresAt = instant(at + MINUTE_MS);
  await keepLink(records.database, { ...caller, hash: linkHash(token), address, at, expiresAt });
  return {
    url: `${address}${address.includes('?') ? '&' : '?'}link=${token}`,
    expires_at: isoText(expiresAt),
  };
};

/** The call that answers the file; undefined for what is no private file of ours. */
function findFile(address: string): Endpoint | undefined {
  if (!/^[\w/.?&=%-]+$/.test(address) || /[?&]link=/.test(address)) return undefined;
  const path = address.split('?', 1)[0]!;
  return FILES.find(({ pattern }) => pattern.test(path))?.endpoint;
}

const FILES = Object.values<Endpoint>(EVERY_ENDPOINT)
  .filter(({ opensByLink }) => opensByLink)
  .map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[\\w-]+')}$`),
  }));
