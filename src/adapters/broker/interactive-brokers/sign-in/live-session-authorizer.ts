// Authorises one user through OAuth 1.0a: a live session token, negotiated once a day, signs every request.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { BrokerAnswer, BrokerCredentials } from '#ports/broker.ts';
import { asNumber, asText } from '../../answer-fields.ts';
import { type Exchange, exchange, failed, urlOf } from '../../exchange.ts';
import type { RateLimiter } from '../../rate-limiter.ts';
import { failureOf } from '../failure-of.ts';
import { type Authorizer, createAuthorizer, type Permit, SIGN_IN_PRIORITY } from './authorizer.ts';
import type { PersonConfig } from '../config.ts';
import { wait } from '../connection.ts';
import { type TokenLife, tokenLife } from './token-life.ts';
import { decryptAccessTokenSecret, finishKeyExchange, startKeyExchange } from './live-session-token.ts';
import { authorizationHeader, freshStamp, type SigningKey } from './oauth-signature.ts';

type Keys = { readonly signature: KeyObject; readonly encryption: KeyObject };

export function readKeys(config: PersonConfig): Keys {
  return {
    signature: createPrivateKey(config.signaturePrivateKeyPem),
    encryption: createPrivateKey(config.encryptionPrivateKeyPem),
  };
}

export function liveSessionAuthorizer(
  config: PersonConfig,
  keys: Keys,
  credentials: BrokerCredentials,
  limiter: RateLimiter,
): Authorizer {
  const send: SendForToken = (key, ask) =>
    limiter.run(ask.path, SIGN_IN_PRIORITY, () => sendSigned(config, key, ask));
  return createAuthorizer(() => agreeOnToken(config, { keys, credentials, send }), config.now ?? Date.now);
}

type TokenAsk = { readonly path: string; readonly oauth: Readonly<Record<string, string>> };
type SendForToken = (key: SigningKey, ask: TokenAsk) => Promise<Exchange>;

/** Signs with the given key and sends; for the requests that obtain tokens. */
export function sendSigned(config: PersonConfig, key: SigningKey, ask: TokenAsk): Promise<Exchange> {
  const request = { method: 'POST', url: `${config.baseUrl}${ask.path}` } as const;
  const oauth = { ...ask.oauth, oauth_consumer_key: config.consumerKey };
  return exchange({
    method: 'POST',
    url: urlOf(request.url),
    headers: {
      authorization: authorizationHeader({ ...request, oauth }, key, {
        realm: config.realm,
        stamp: freshStamp((config.now ?? Date.now)()),
      }),
    },
    timeoutMs: config.timeoutMs,
    fetch: config.fetch,
  });
}

function signingPermit(
  config: PersonConfig,
  liveSessionToken: Buffer,
  { credentials, life }: { readonly credentials: BrokerCredentials; readonly life: TokenLife },
): Permit {
  const oauth = { oauth_token: String(credentials.accessToken), oauth_consumer_key: config.consumerKey };
  const key: SigningKey = { method: 'HMAC-SHA256', liveSessionToken };
  return {
    life,
    streamQuery: `oauth_token=${encodeURIComponent(oauth.oauth_token)}`,
    header: (request) =>
      authorizationHeader({ ...request, oauth }, key, {
        realm: config.realm,
        stamp: freshStamp((config.now ?? Date.now)()),
      }),
  };
}

async function agreeOnToken(
  config: PersonConfig,
  tools: { readonly keys: Keys; readonly credentials: BrokerCredentials; readonly send: SendForToken },
): Promise<BrokerAnswer<Permit>> {
  const { keys, credentials, send } = tools;
  const secret = readSecret(credentials, keys);
  if (!secret) return failed('unauthorized', 'the stored permission cannot be read with this encryption key');
  for (let attempt = 1; attempt <= KEY_EXCHANGE_ATTEMPTS; attempt++) {
    const started = startKeyExchange(config.dhPrimeHex);
    const key: SigningKey = {
      method: 'RSA-SHA256',
      privateKey: keys.signature,
      prepend: secret.toString('hex'),
    };
    const result = await send(key, {
      path: '/oauth/live_session_token',
      oauth: { oauth_token: String(credentials.accessToken), diffie_hellman_challenge: started.challengeHex },
    });
    const failure = failureOf(result);
    // One refusal around a vendor reset proves nothing; a second one does.
    if (failure?.code === 'unauthorized' && attempt === 1) {
      await (config.sleep ?? wait)(REFUSED_AGAIN_MS);
      continue;
    }
    if (failure) return failure;
    const body = result.kind === 'answered' ? (result.body as Record<string, unknown> | null) : null;
    // The published schema gives the vendor's half of the exchange the name of ours.
    const responseHex = asText(body?.diffie_hellman_response) ?? asText(body?.diffie_hellman_challenge) ?? '';
    // The vendor sometimes answers without its half of the exchange; a fresh exponent helps.
    if (responseHex === '') continue;
    const bytes = finishKeyExchange({
      exchange: started,
      primeHex: config.dhPrimeHex,
      responseHex,
      signatureHex: asText(body?.live_session_token_signature) ?? '',
      accessTokenSecret: secret,
      consumerKey: config.consumerKey,
    });
    if (!bytes)
      return failed(
        'refused',
        "the broker's proof of the session key does not match: check the encryption key, the prime and the consumer key",
      );
    const life = tokenLife((config.now ?? Date.now)(), asNumber(body?.live_session_token_expiration));
    return { outcome: 'ok', value: signingPermit(config, bytes, { credentials, life }) };
  }
  return failed('unreachable', 'the broker did not complete the key exchange');
}

function readSecret(credentials: BrokerCredentials, keys: Keys): Buffer | null {
  try {
    return decryptAccessTokenSecret(String(credentials.accessTokenSecret), keys.encryption);
  } catch {
    return null;
  }
}

const KEY_EXCHANGE_ATTEMPTS = 3;
const REFUSED_AGAIN_MS = 1_000;
