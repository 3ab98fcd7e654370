// The vendor's OAuth 1.0a: like RFC 5849, but the parameter values are joined raw and the list is encoded once.
import { createHmac, createSign, type KeyObject, randomBytes } from 'node:crypto';

export type SignedRequest = {
  readonly method: string;
  /** Without query. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly oauth: Readonly<Record<string, string>>;
};

/** RSA for token requests, HMAC for the rest. `prepend`: decrypted token secret in hex, only for the live session token. */
export type SigningKey =
  | { readonly method: 'RSA-SHA256'; readonly privateKey: KeyObject; readonly prepend?: string }
  | { readonly method: 'HMAC-SHA256'; readonly liveSessionToken: Buffer };

/** The value of the Authorization header. `stamp` holds the nonce and the time in seconds. */
export function authorizationHeader(
  request: SignedRequest,
  key: SigningKey,
  options: { readonly realm: string; readonly stamp: OauthStamp },
): string {
  const oauth: Record<string, string> = {
    ...request.oauth,
    oauth_nonce: options.stamp.nonce,
    oauth_timestamp: options.stamp.timestamp,
    oauth_signature_method: key.method,
  };
  oauth.oauth_signature = encode(sign(baseString({ ...request, oauth }), key));
  const fields = Object.keys(oauth)
    .sort()
    .map((name) => `${name}="${oauth[name]}"`);
  return `OAuth realm="${options.realm}", ${fields.join(', ')}`;
}

export function baseString({ method, url, query, oauth }: SignedRequest): string {
  const values: Readonly<Record<string, string>> = { ...oauth, ...query };
  // By name: sorted as whole pairs, 'conid1=' would come before 'conid='.
  const list = Object.keys(values)
    .sort()
    .map((name) => `${name}=${values[name]}`)
    .join('&');
  return `${method}&${encode(url)}&${encode(list)}`;
}

type OauthStamp = { readonly nonce: string; readonly timestamp: string };

export function freshStamp(nowMs: number): OauthStamp {
  return { nonce: randomBytes(12).toString('hex'), timestamp: String(Math.floor(nowMs / 1000)) };
}

/** Percent-encoding with space as '+' and only letters, digits, '-', '_', '.', '~' kept. */
export function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

function sign(base: string, key: SigningKey): string {
  if (key.method === 'HMAC-SHA256')
    return createHmac('sha256', key.liveSessionToken).update(base).digest('base64');
  return createSign('RSA-SHA256')
    .update(`${key.prepend ?? ''}${base}`)
    .sign(key.privateKey, 'base64');
}
