import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts';
import type { DeliveryRecord, WebhookRecord } from '#records/webhooks/webhooks.ts';
import { webhookProblemText } from '#rules/webhooks/webhook-terms.ts';
import type { Instant } from '#units/instant.ts';

/** What is posted as type where there is no notice. */
export const TEST_TYPE = 'test';

export function showWebhook(webhook: WebhookRecord, now: Instant): Webhook {
  const { formerUntil } = webhook;
  return {
    id: webhook.id,
    url: webhook.url,
    news: [...webhook.news],
    is_on: webhook.disabledAt === null,
    off_because: webhook.disabledBecause,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    former_secret_until:
      formerUntil !== null && formerUntil.getTime() > now ? formerUntil.toISOString() : null,
    created_at: webhook.createdAt.toISOString(),
  };
}

export function showDelivery(delivery: DeliveryRecord): WebhookDelivery {
  return {
    id: delivery.id,
    type: delivery.kind ?? TEST_TYPE,
    status: delivery.status,
    attempts: delivery.attempts,
    answered: delivery.answered,
    problem: delivery.problem === null ? null : webhookProblemText(delivery.problem),
    created_at: delivery.createdAt.toISOString(),
    tried_at: delivery.triedAt?.toISOString() ?? null,
  };
}
