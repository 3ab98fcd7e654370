// Where news goes outside of the product, wired once.
import { telegram } from '#adapters/news-channel/telegram/telegram.ts';
import { webPush } from '#adapters/news-channel/web-push/web-push.ts';
import type { WebhookSender } from '#ports/webhook-sender.ts';
import type { Keyring } from '#records/keys/keyring.ts';
import { vapidKeyOf } from '#server/news/vapid-key.ts';
import type { Environment } from '../environment/environment.ts';

type Tools = { readonly keys: Keyring; readonly webhooks: WebhookSender };

export function connectNews(
  { telegram: bot, provider, publicUrl }: Pick<Environment, 'telegram' | 'provider' | 'publicUrl'>,
  { keys, webhooks }: Tools,
) {
  return {
    push: webPush({
      post: webhooks,
      async findKey(id) {
        const key = await keys.find('web_push', id);
        return key && vapidKeyOf(key);
      },
      contact: `mailto:${provider.contactEmail}`,
      now: Date.now,
    }),
    telegram: bot && telegram({ token: bot.token, publicUrl, ...(bot.url !== null && { url: bot.url }) }),
  };
}
