import { randomUUID } from 'node:crypto';
import type { webhooksEndpoints } from '#contract/webhooks.ts';
import { lockPerson } from '#records/billing/subscriptions.ts';
import { insertWebhook, listWebhooks } from '#records/webhooks/webhooks.ts';
import { WEBHOOKS_MAX } from '#rules/webhooks/webhook-terms.ts';
import type { Call } from '../http/call.ts';
import { refuse } from '../http/refusal.ts';
import { noteSecurityEvent } from '../identity/security-events.ts';
import { showWebhook } from './show-webhook.ts';
import { newWebhookSecret, sealSecrets } from './webhook-secrets.ts';

export const createWebhook: Call<typeof webhooksEndpoints.createWebhook> = async (
  { body: { url, news }, caller: { userId }, request },
  dependencies,
) => {
  const { records, keys, now } = dependencies;
  const [id, secret, at] = [randomUUID(), newWebhookSecret(), now()];
  const isMade = await records.database.transaction().execute(async (trx) => {
    await lockPerson(trx, userId);
    if ((await listWebhooks(trx, { userId })).length >= WEBHOOKS_MAX) return false;
    const sealedSecrets = sealSecrets({ newest: secret, former: null }, id, keys);
    await insertWebhook(trx, { id, userId, url, news: [...new Set(news)], sealedSecrets, at });
    return true;
  });
  if (!isMade)
    return refuse('out_of_range', `You have ${WEBHOOKS_MAX} webhooks, which is the most. Remove one first.`);
  await noteSecurityEvent({ kind: 'webhook_added', userId, request }, dependencies);
  const [made] = await listWebhooks(records.database, { userId, id });
  if (made === undefined) throw new Error(`the new webhook ${id} is gone`);
  return { webhook: showWebhook(made, at), secret };
};
