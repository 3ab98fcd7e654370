// Posts as the sender of the product does, without its walls: to stand-ins on this machine, which have no certificate.
import type { WebhookSender } from '#ports/webhook-sender.ts';

export function plainSender(whereTo: (url: string) => string): WebhookSender {
  return {
    async send({ url, headers, body }) {
      try {
        const response = await fetch(whereTo(url), {
          method: 'POST',
          headers,
          body: typeof body === 'string' ? body : Buffer.from(body),
          redirect: 'manual',
        });
        const pause = response.headers.get('retry-after');
        return {
          outcome: 'answered',
          status: response.status,
          retryAfterSeconds: pause === null ? null : Number(pause),
        };
      } catch {
        return { outcome: 'failed', code: 'unreachable' };
      }
    },
  };
}
