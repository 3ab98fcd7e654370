import { randomUUID } from 'node:crypto';
import type { newsEndpoints } from '#contract/news.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import { findAddress, fingerprintOf, listAddresses, putAddress } from '#records/news/news-addresses.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { describeBrowser } from '#rules/identity/describe-browser.ts';
import { ADDRESSES_MAX, NEWS_SENTENCES } from '#rules/news/news-terms.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { noteSecurityEvent } from '../identity/security-events.ts';
import { sealAddress } from './seal-address.ts';
import { showAddress } from './show-news.ts';
import { vapidKeyOf } from './vapid-key.ts';

export const addBrowser: Call<typeof newsEndpoints.addBrowser> = async (
  { body, caller: { userId }, request },
  dependencies,
) => {
  const { records, keys, now } = dependencies;
  const vapid = keys
    .all('web_push')
    .map(vapidKeyOf)
    .find(({ publicKey }) => publicKey === body.public_key);
  if (vapid === undefined) return refuse('invalid_field', NEWS_SENTENCES.otherKey, { field: 'public_key' });
  const id = randomUUID();
  const address = JSON.stringify({ endpoint: body.endpoint, ...body.keys, key: vapid.id });
  // As everybody: a browser that somebody else used here before gets the news of one person alone.
  const isMade = await asEverybody(() =>
    records.database.transaction().execute(async (trx) => {
      await lockPerson(trx, userId);
      if ((await listAddresses(trx, userId)).length >= ADDRESSES_MAX) return false;
      await putAddress(trx, {
        id,
        userId,
        channel: 'push',
        name: describeBrowser(request.headers['user-agent'] ?? ''),
        sealedAddress: sealAddress(address, id, keys),
        fingerprint: fingerprintOf(body.endpoint),
        vapidKey: vapid.id,
        at: now(),
      });
      return true;
    }),
  );
  if (!isMade) return refuse('out_of_range', NEWS_SENTENCES.full);
  await noteSecurityEvent({ kind: 'browser_added', userId, request }, dependencies);
  const made = await findAddress(records.database, { userId, id });
  if (made === undefined) throw new Error(`the new address ${id} is gone`);
  return showAddress(made);
};
