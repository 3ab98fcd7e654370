// One person's signed connection: keeps the live session token fresh, paces, signs and sends.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { BrokerAnswer, BrokerCredentials } from '#ports/broker.ts';
import { type InteractiveBrokersConfig, PUBLISHED_PACING } from './config.ts';
import { decryptAccessTokenSecret, finishKeyExchange, startKeyExchange } from './live-session-token.ts';
import { authorizationHeader, freshStamp, type SigningKey } from './oauth-signature.ts';
import { createPacer, type PenaltyBox, type Priority } from './pacer.ts';
import { type Exchange, exchange, failed, failureOf } from './transport.ts';

export type Ask = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly priority: Priority;
};

export type Connection = {
  /** Sends once. */
  send(ask: Ask): Promise<Exchange>;
  /** Sends, and once more with a new session token when the first was turned away. For what may be asked twice. */
  query(ask: Ask): Promise<Exchange>;
  /** Makes sure that there is a live session token. */
  signIn(): Promise<BrokerAnswer<null>>;
};

export type Keys = { readonly signature: KeyObject; readonly encryption: KeyObject };

export function readKeys(config: InteractiveBrokersConfig): Keys {
  return {
    signature: createPrivateKey(config.signaturePrivateKeyPem),
    encryption: createPrivateKey(config.encryptionPrivateKeyPem),
  };
}

export function openConnection(
  config: InteractiveBrokersConfig,
  keys: Keys,
  credentials: BrokerCredentials,
  box: PenaltyBox,
): Connection {
  const now = config.now ?? Date.now;
  const pacing = config.pacing ?? PUBLISHED_PACING;
  const pacer = createPacer(pacing, box, now);
  let token: LiveSessionToken | null = null;
  let signingIn: Promise<BrokerAnswer<LiveSessionToken>> | null = null;

  const freshToken = (): Promise<BrokerAnswer<LiveSessionToken>> => {
    if (token && now() < token.renewAt) return Promise.resolve({ outcome: 'ok', value: token });
    signingIn ??= agreeOnToken(config, keys, credentials)
      .then((answer) => {
        token = answer.outcome === 'ok' ? answer.value : null;
        return answer;
      })
      .finally(() => {
        signingIn = null;
      });
    return signingIn;
  };

  const send = async (ask: Ask): Promise<Exchange> => {
    const live = await freshToken();
    if (live.outcome === 'failed') return { kind: 'not_sent', code: live.code, reason: live.reason };
    if (!(await pacer.admit(ask.path, ask.priority)))
      return { kind: 'not_sent', code: 'rate_limited', reason: 'our own pacing budget is used up' };
    const key: SigningKey = { method: 'HMAC-SHA256', liveSessionToken: live.value.bytes };
    const oauth = { oauth_token: String(credentials.accessToken) };
    const result = await sendSigned(config, key, { ...ask, oauth });
    if (result.kind === 'answered' && result.status === 429) box.until = now() + pacing.penaltyMs;
    if (result.kind === 'answered' && TURNED_AWAY.has(result.status) && token === live.value) token = null;
    return result;
  };

  return {
    send,
    async query(ask) {
      const first = await send(ask);
      return first.kind === 'answered' && TURNED_AWAY.has(first.status) ? send(ask) : first;
    },
    async signIn() {
      const live = await freshToken();
      return live.outcome === 'ok' ? { outcome: 'ok', value: null } : live;
    },
  };
}

/** Signs with the given key and sends, with neither pacing nor a session token: also for the requests that make tokens. */
export function sendSigned(
  config: InteractiveBrokersConfig,
  key: SigningKey,
  ask: Omit<Ask, 'priority'> & { readonly oauth: Readonly<Record<string, string>> },
): Promise<Exchange> {
  const url = `${config.baseUrl}${ask.path}`;
  const search = new URLSearchParams(ask.query).toString();
  return exchange({
    method: ask.method,
    url: search === '' ? url : `${url}?${search}`,
    authorization: authorizationHeader(
      {
        method: ask.method,
        url,
        query: ask.query,
        oauth: { ...ask.oauth, oauth_consumer_key: config.consumerKey },
      },
      key,
      { realm: config.realm, stamp: freshStamp((config.now ?? Date.now)()) },
    ),
    json: ask.json,
    timeoutMs: config.timeoutMs ?? TIMEOUT_MS,
    fetch: config.fetch,
  });
}

type LiveSessionToken = { readonly bytes: Buffer; readonly renewAt: number };

async function agreeOnToken(
  config: InteractiveBrokersConfig,
  keys: Keys,
  credentials: BrokerCredentials,
): Promise<BrokerAnswer<LiveSessionToken>> {
  const secret = readSecret(credentials, keys);
  if (!secret) return failed('unauthorized', 'the stored permission cannot be read with this encryption key');
  for (let attempt = 1; attempt <= KEY_EXCHANGE_ATTEMPTS; attempt++) {
    const started = startKeyExchange(config.dhPrimeHex);
    const key: SigningKey = {
      method: 'RSA-SHA256',
      privateKey: keys.signature,
      prepend: secret.toString('hex'),
    };
    const result = await sendSigned(config, key, {
      method: 'POST',
      path: '/oauth/live_session_token',
      oauth: { oauth_token: String(credentials.accessToken), diffie_hellman_challenge: started.challengeHex },
    });
    const failure = failureOf(result);
    // One refusal around a reset of the vendor's proves nothing; a second one does.
    if (failure?.code === 'unauthorized' && attempt === 1) {
      await (config.sleep ?? wait)(REFUSED_AGAIN_MS);
      continue;
    }
    if (failure) return failure;
    const body = result.kind === 'answered' ? (result.body as Record<string, unknown> | null) : null;
    const responseHex = String(body?.diffie_hellman_response ?? '');
    // The vendor sometimes answers without its half of the exchange; a fresh exponent helps.
    if (responseHex === '') continue;
    const bytes = finishKeyExchange({
      exchange: started,
      primeHex: config.dhPrimeHex,
      responseHex,
      signatureHex: String(body?.live_session_token_signature ?? ''),
      accessTokenSecret: secret,
      consumerKey: config.consumerKey,
    });
    if (!bytes)
      return failed(
        'refused',
        "the broker's proof of the session key does not match: check the encryption key, the prime and the consumer key",
      );
    return {
      outcome: 'ok',
      value: { bytes, renewAt: renewAt(config, Number(body?.live_session_token_expiration)) },
    };
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

/** An hour before the day is over; the vendor's pages disagree on whether its field is the day's end or its beginning. */
function renewAt(config: InteractiveBrokersConfig, expiration: number): number {
  const now = (config.now ?? Date.now)();
  const end = expiration > now ? Math.min(expiration, now + 24 * HOUR) : now + 24 * HOUR;
  return end - HOUR;
}

export function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

const HOUR = 3_600_000;
const TIMEOUT_MS = 15_000;
const KEY_EXCHANGE_ATTEMPTS = 3;
const REFUSED_AGAIN_MS = 1_000;
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 410]);
