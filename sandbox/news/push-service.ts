// A stand-in for a push service with its browsers, written against RFC 8030, 8188, 8291 and 8292: it gives out subscriptions, refuses what
// is not signed with the key that a browser was given, and reads a push as that browser would.
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { importJWK, jwtVerify } from 'jose';
import type { Fault, Received } from './faults.ts';

export type PushServiceStandIn = {
  readonly faults: Fault[];
  /** A browser that was given this key; answers what its Push API would. */
  subscribe(publicKey: string): Subscription;
  /** The person forbids it, or clears the browser. */
  unsubscribe(endpoint: string): void;
  receivedBy(endpoint: string): readonly Received[];
};

export type Subscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly public_key: string;
};

type Browser = {
  readonly curve: ECDH;
  readonly auth: Buffer;
  readonly publicKey: string;
  readonly received: Received[];
};

/** `base` is the address under which it is reached. */
export function mountPushService(app: FastifyInstance, base: () => string): PushServiceStandIn {
  const browsers = new Map<string, Browser>();
  const faults: Fault[] = [];
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post('/push/:id', async (request, reply) => {
    const browser = browsers.get((request.params as { id: string }).id);
    const fault = faults.shift();
    if (fault?.afterMs !== undefined) await pause(fault.afterMs);
    if (fault !== undefined && !fault.drops) {
      if (fault.retryAfterSeconds !== undefined) reply.header('retry-after', String(fault.retryAfterSeconds));
      return reply.status(fault.status).send();
    }
    if (browser === undefined) return reply.status(410).send();
    const wrong = await findWrong(request, browser, base());
    if (wrong !== null) return reply.status(wrong).send();
    keep(browser, read(request.body as Buffer, browser), topicOf(request));
    if (fault?.drops) return drop(reply);
    return reply.status(201).header('location', `${base()}/message/${randomUUID()}`).send();
  });
  return {
    faults,
    subscribe(publicKey) {
      const curve = createECDH('prime256v1');
      curve.generateKeys();
      const [id, auth] = [randomUUID(), randomBytes(16)];
      browsers.set(id, { curve, auth, publicKey, received: [] });
      const keys = {
        p256dh: curve.getPublicKey().toString('base64url'),
        auth: auth.toString('base64url'),
      };
      return { endpoint: `${base()}/push/${id}`, keys, public_key: publicKey };
    },
    unsubscribe: (endpoint) => void browsers.delete(endpoint.split('/').at(-1)!),
    receivedBy: (endpoint) => browsers.get(endpoint.split('/').at(-1)!)?.received ?? [],
  };
}

function drop(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

const topicOf = (request: FastifyRequest) => request.headers['topic'] as string | undefined;

/** Of two with the same id a browser shows one: the tag of a notification. */
function keep(browser: Browser, text: string, topic: string | undefined): void {
  const { id, title, message } = JSON.parse(text) as { id: string; title: string; message: string };
  if (topic === undefined) throw new Error('a push without a topic');
  if (browser.received.some((one) => one.id === id)) return;
  browser.received.push({ id, title, message, at: Date.now() });
}

/** The status of a refusal; null for a push as it should be. */
async function findWrong(request: FastifyRequest, browser: Browser, base: string): Promise<number | null> {
  const { headers } = request;
  if (headers['content-encoding'] !== 'aes128gcm' || !/^\d+$/.test(String(headers['ttl']))) return 400;
  if ((request.body as Buffer).length > 4_096) return 413;
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  if (token === undefined || key === undefined) return 401;
  if (key !== browser.publicKey) return 403;
  const open = Buffer.from(key, 'base64url');
  const part = (from: number, to: number) => open.subarray(from, to).toString('base64url');
  const known = await importJWK({ kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65) }, 'ES256');
  const checked = await jwtVerify(token, known, { audience: new URL(base).origin }).catch(() => null);
  if (checked === null) return 403;
  const { exp = 0, sub = '' } = checked.payload;
  return exp > Date.now() / 1000 + DAY_SECONDS || !/^(mailto:|https:)/.test(sub) ? 403 : null;
}

const DAY_SECONDS = 86_400;

/** As a browser reads it. */
function read(body: Buffer, { curve, auth }: Browser): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const sealed = body.subarray(21 + sender.length);
  const derive = (secret: Uint8Array, from: Uint8Array, info: Uint8Array | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender]);
  const secret = derive(curve.computeSecret(sender), auth, info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  );
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}
