import type { webhooksEndpoints } from '#contract/webhooks.ts';
import {
  changeWebhook as change,
  listWebhooks,
  removeWebhook as remove,
} from '#records/webhooks/webhooks.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showWebhook } from './show-webhook.ts';

export const changeWebhook: Call<typeof webhooksEndpoints.changeWebhook> = async (
  { params: { id }, body: { url, news, is_on: isOn }, caller: { userId } },
  { records, now },
) => {
  const at = now();
  const isChanged = await change(records.database, { userId, id }, { url, news, isOn, at });
  const [changed] = isChanged ? await listWebhooks(records.database, { userId, id }) : [];
  return changed === undefined ? notFound() : showWebhook(changed, at);
};

export const removeWebhook: Call<typeof webhooksEndpoints.removeWebhook> = async (
  { params: { id }, caller: { userId } },
  { records },
) => {
  if (!(await remove(records.database, { userId, id }))) return notFound();
};
