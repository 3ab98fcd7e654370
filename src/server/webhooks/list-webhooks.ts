import type { webhooksEndpoints } from '#contract/webhooks.ts';
import { listDeliveries, listWebhooks as list } from '#records/webhooks/webhooks.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showDelivery, showWebhook } from './show-webhook.ts';

export const listWebhooks: Call<typeof webhooksEndpoints.listWebhooks> = async (
  { caller: { userId } },
  { records, now },
) => (await list(records.database, { userId })).map((webhook) => showWebhook(webhook, now()));

export const listWebhookDeliveries: Call<typeof webhooksEndpoints.listWebhookDeliveries> = async (
  { params: { id }, caller: { userId } },
  { records: { database } },
) => {
  const own = { userId, id };
  const [webhook] = await list(database, own);
  return webhook === undefined ? notFound() : (await listDeliveries(database, own, SHOWN)).map(showDelivery);
};

const SHOWN = 50;
