// Pushes to browsers by RFC 8030, signed by RFC 8292 (VAPID). Where a browser listens is an address that a client gave us: it is reached as
// carefully as a webhook.
import { type KeyObject, sign } from 'node:crypto';
import type { NewsChannel, NewsOutcome } from '#ports/news-channel.ts';
import type { WebhookOutcome, WebhookSender } from '#ports/webhook-sender.ts';
import { type BrowserKeys, encryptPush } from './encrypt-push.ts';

export type VapidKey = {
  /** Base64url, as browsers take it. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
};

type Options = {
  readonly post: WebhookSender;
  /** Null for one that was removed. */
  readonly findKey: (id: string) => Promise<VapidKey | null>;
  /** Whom a push service writes to when we send wrongly: a mailto: address. */
  readonly contact: string;
  /** Milliseconds. */
  readonly now: () => number;
};

/** What a browser gave us, with the key that we gave it. */
export type PushAddress = BrowserKeys & { readonly endpoint: string; readonly key: string };

export function webPush({ post, findKey, contact, now }: Options): NewsChannel {
  return {
    async send({ address, id, title, message, path }) {
      const { endpoint, key: keyId, ...keys } = JSON.parse(address) as PushAddress;
      const key = await findKey(keyId);
      if (key === null) return { outcome: 'gone' };
      const answer = await post.send({
        url: endpoint,
        body: encryptPush(JSON.stringify({ id, title, message, path }), keys),
        headers: {
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(TTL_SECONDS),
          urgency: 'high',
          // Of two under one topic a service keeps the newer: an attempt that is repeated takes the place of the first.
          topic: Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'),
          authorization: `vapid t=${tokenFor(new URL(endpoint).origin, { key, contact, now })}, k=${key.publicKey}`,
        },
      });
      return outcomeOf(answer);
    },
  };
}

/** A browser that is away for longer reads the bell. */
const TTL_SECONDS = 12 * 3_600;

function tokenFor(
  audience: string,
  { key, contact, now }: Pick<Options, 'contact' | 'now'> & { readonly key: VapidKey },
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const expires = Math.floor(now() / 1000) + TTL_SECONDS;
  const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: audience, exp: expires, sub: contact })}`;
  const signature = sign('sha256', Buffer.from(text), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

function outcomeOf(answer: WebhookOutcome): NewsOutcome {
  if (answer.outcome === 'failed')
    return answer.code === 'forbidden_address'
      ? { outcome: 'refused', status: 0 }
      : { outcome: 'later', code: answer.code, afterSeconds: null };
  const { status, retryAfterSeconds: afterSeconds } = answer;
  if (status >= 200 && status < 300) return { outcome: 'taken' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  if (status === 429) return { outcome: 'later', code: 'busy', afterSeconds };
  if (status >= 500) return { outcome: 'later', code: 'unwell', afterSeconds };
  return { outcome: 'refused', status };
}
