// Posts each alarm to one address, signed: HMAC-SHA256 over time and body, as hexadecimal digits.
import { createHmac } from 'node:crypto';
import type { AlarmReceiver } from '#ports/alarm-receiver.ts';

type Options = {
  readonly url: string;
  readonly secret: string;
  /** Seconds since 1970. */
  readonly nowSeconds: () => number;
};

const ANSWERS_WITHIN_MS = 10_000;

export function signedWebhook({ url, secret, nowSeconds }: Options): AlarmReceiver {
  return {
    async send({ id, body }) {
      const at = String(nowSeconds());
      const headers = {
        'content-type': 'application/json',
        'bellwether-event-id': id,
        'bellwether-signature': `t=${at},v1=${signatureOf(secret, at, body)}`,
      };
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers,
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
        });
        await answer.body?.cancel();
        if (answer.ok) return { outcome: 'taken' };
        return { outcome: 'failed', reason: `status ${answer.status}` };
      } catch (error) {
        return { outcome: 'failed', reason: reasonOf(error) };
      }
    },
  };
}

function signatureOf(secret: string, at: string, body: string): string {
  return createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
