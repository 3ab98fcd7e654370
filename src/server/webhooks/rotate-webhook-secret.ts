import type { webhooksEndpoints } from '#contract/webhooks.ts';
import { listWebhooks, lockWebhook, replaceSecrets } from '#records/webhooks/webhooks.ts';
import { FORMER_HOURS } from '#rules/webhooks/webhook-terms.ts';
import { HOUR_MS, type Instant } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showWebhook } from './show-webhook.ts';
import { newWebhookSecret, openSecrets, sealSecrets } from './webhook-secrets.ts';

/** The one before the former stops signing at once. */
export const rotateWebhookSecret: Call<typeof webhooksEndpoints.rotateWebhookSecret> = async (
  { params: { id }, caller: { userId } },
  { records, keys, now },
) => {
  const own = { userId, id };
  const [secret, at] = [newWebhookSecret(), now()];
  const isReplaced = await records.database.transaction().execute(async (trx) => {
    const webhook = await lockWebhook(trx, own);
    if (webhook === undefined) return false;
    const { newest } = await openSecrets(webhook.sealedSecrets, id, keys);
    const sealed = sealSecrets({ newest: secret, former: newest }, id, keys);
    await replaceSecrets(trx, { id, sealed, formerUntil: (at + FORMER_HOURS * HOUR_MS) as Instant });
    return true;
  });
  const [webhook] = isReplaced ? await listWebhooks(records.database, own) : [];
  return webhook === undefined ? notFound() : { webhook: showWebhook(webhook, at), secret };
};
