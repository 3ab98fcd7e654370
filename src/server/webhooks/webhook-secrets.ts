// Secrets of webhooks by the scheme of Standard Webhooks (https://www.standardwebhooks.com): whsec_ and base64.
import { createHmac, randomBytes } from 'node:crypto';
import { openSecret, sealSecret, type SealingTerms } from '#records/keys/sealed-secret.ts';
import type { Instant } from '#units/instant.ts';

const MARK = 'whsec_';
const SECRET_BYTES = 32;

/** The newest, and the one before it where there was one. */
export type WebhookSecrets = { readonly newest: string; readonly former: string | null };

export function newWebhookSecret(): string {
  return MARK + randomBytes(SECRET_BYTES).toString('base64');
}

export function sealSecrets(secrets: WebhookSecrets, id: string, keys: SealingTerms['keys']): Buffer {
  return sealSecret(JSON.stringify(secrets), { keys, purpose: purposeOf(id) });
}

export async function openSecrets(
  sealed: Uint8Array,
  id: string,
  keys: SealingTerms['keys'],
): Promise<WebhookSecrets> {
  return JSON.parse(await openSecret(sealed, { keys, purpose: purposeOf(id) })) as WebhookSecrets;
}

const purposeOf = (id: string) => `webhooks:${id}:sealed_secrets`;

type Signed = { readonly id: string; readonly at: Instant; readonly body: string };

/** What is signed: id, seconds since 1970 and the exact body, joined by full stops. One signature for each secret. */
export function signatureHeaders(
  { id, at, body }: Signed,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(MARK.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}
