import { randomUUID } from 'node:crypto';
import type { webhooksEndpoints } from '#contract/webhooks.ts';
import { sendJobs } from '#records/jobs/send-jobs.ts';
import { insertTestDelivery, listDeliveries, listWebhooks } from '#records/webhooks/webhooks.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse } from '../http/refusal.ts';
import { showDelivery } from './show-webhook.ts';

/** By the same way as any other. */
export const testWebhook: Call<typeof webhooksEndpoints.testWebhook> = async (
  { params: { id: webhookId }, caller: { userId } },
  { records: { database }, now },
) => {
  const own = { userId, id: webhookId };
  const [webhook] = await listWebhooks(database, own);
  if (webhook === undefined) return notFound();
  if (webhook.disabledAt !== null)
    return refuse('illegal_move', 'This webhook is off. Turn it on first, then send the test.');
  const id = randomUUID();
  await database.transaction().execute(async (trx) => {
    await insertTestDelivery(trx, { id, userId, webhookId, at: now() });
    await sendJobs(trx, 'webhooks', [{ data: { deliveryId: id } }]);
  });
  const made = (await listDeliveries(database, own, NEWEST)).find((delivery) => delivery.id === id);
  if (made === undefined) throw new Error(`the new delivery ${id} is gone`);
  return showDelivery(made);
};

/** Others may have been written beside it. */
const NEWEST = 50;
