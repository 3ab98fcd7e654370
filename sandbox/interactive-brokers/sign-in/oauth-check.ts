// Checks the Authorization header of a request: known consumer, fresh time, unused nonce, true signature.
import { createHmac, createVerify, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Consumer } from './consumer.ts';

type OauthParameters = Readonly<Record<string, string>>;

/** Which key must have signed: the consumer's, with what is put before the base string, or one of these session tokens. */
export type ExpectedSigner =
  | { readonly method: 'RSA-SHA256'; readonly prepend: string }
  | { readonly method: 'HMAC-SHA256'; readonly liveSessionTokens: readonly Buffer[] };

export type OauthCheck = (
  request: FastifyRequest,
  signerOf: (parameters: OauthParameters) => ExpectedSigner | string,
) => OauthParameters | string;

/** Returns the parameters, or the reason for a refusal. */
export function createOauthCheck(consumer: Consumer, realNow: () => number): OauthCheck {
  const seen = new Map<string, number>();
  const isRepeated = (nonce: string, atSeconds: number) => {
    for (const [old, at] of seen) {
      if (at >= realNow() / 1_000 - TOLERANCE_S) break;
      seen.delete(old);
    }
    if (seen.has(nonce)) return true;
    seen.set(nonce, atSeconds);
    return false;
  };

  return (request, signerOf) => {
    const parameters = parseHeader(request.headers.authorization ?? '');
    if (!parameters) return 'missing or malformed OAuth header';
    const { realm, oauth_signature: signature, ...signed } = parameters;
    if (signed.oauth_consumer_key !== consumer.key) return 'invalid consumer';
    if (realm !== consumer.realm) return 'invalid realm';
    const seconds = Number(signed.oauth_timestamp);
    if (!Number.isInteger(seconds) || Math.abs(realNow() / 1_000 - seconds) > TOLERANCE_S)
      return 'invalid timestamp';
    const signer = signerOf(signed);
    if (typeof signer === 'string') return signer;
    if (signed.oauth_signature_method !== signer.method) return 'invalid signature method';
    if (!isTrue(consumer, signer, baseString(request, signed), decodeURIComponent(signature ?? '')))
      return 'invalid signature';
    const nonce = signed.oauth_nonce ?? '';
    if (nonce === '' || isRepeated(`${signed.oauth_token ?? ''} ${nonce}`, seconds))
      return 'nonce already used';
    return signed;
  };
}

function isTrue(consumer: Consumer, signer: ExpectedSigner, base: string, signature: string): boolean {
  if (signer.method === 'RSA-SHA256')
    return createVerify('RSA-SHA256')
      .update(signer.prepend + base)
      .verify(consumer.signatureKey, signature, 'base64');
  const given = Buffer.from(signature, 'base64');
  return signer.liveSessionTokens.some((token) => {
    const expected = createHmac('sha256', token).update(base).digest();
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

function parseHeader(header: string): OauthParameters | null {
  if (!header.startsWith('OAuth ')) return null;
  const parameters: Record<string, string> = {};
  for (const part of header.slice('OAuth '.length).split(',')) {
    const match = /^\s*([a-z_]+)="([^"]*)"\s*$/.exec(part);
    if (!match?.[1] || match[2] === undefined || match[1] in parameters) return null;
    parameters[match[1]] = match[2];
  }
  return parameters;
}

/** The values joined raw, the whole list encoded once; a JSON body is not part of it, a form is. */
function baseString(request: FastifyRequest, signed: OauthParameters): string {
  const url = new URL(request.url, `${request.protocol}://${request.headers.host}`);
  const pairs = [...Object.entries(signed), ...url.searchParams.entries()];
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    pairs.push(...Object.entries((request.body ?? {}) as Record<string, string>));
  const list = pairs
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&');
  return [request.method, percent(url.origin + url.pathname), percent(list)].join('&');
}

function percent(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const sign = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-._~]/.test(sign)) encoded += sign;
    else encoded += sign === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

const TOLERANCE_S = 300;
