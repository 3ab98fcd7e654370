import type { webhooksEndpoints } from '#contract/webhooks.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { changeWebhook, removeWebhook } from './change-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { listWebhookDeliveries, listWebhooks } from './list-webhooks.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { testWebhook } from './test-webhook.ts';

export const webhooksCalls: RoomCalls<typeof webhooksEndpoints> = {
  listWebhooks,
  createWebhook,
  changeWebhook,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
};
