// The requests of DocuSign's eSignature REST API v2.1 that we make, under a token of the JWT grant.
import { createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import { SigningUnavailable } from '#ports/signing.ts';

export interface DocusignSettings {
  /** Where tokens come from, such as https://account-d.docusign.com. */
  readonly authUrl: string;
  readonly integrationKey: string;
  /** The user of the vendor's account in whose name envelopes are sent. */
  readonly userId: string;
  readonly privateKeyPem: string;
  /** Null: the user's default account. */
  readonly accountId: string | null;
}

export interface DocusignClient {
  /** The answer's JSON; throws DocusignRefusal with the vendor's code, SigningUnavailable without an answer. */
  ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>>;
  download(path: string): Promise<Uint8Array>;
}

export class DocusignRefusal extends SigningUnavailable {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`docusign: ${code}: ${message}`);
    this.code = code;
  }
}

const ANSWERS_WITHIN_MS = 20_000;
/** A token lives an hour; a new one is asked for before. */
const TOKEN_MARGIN_SECONDS = 300;
const ASSERTION_SECONDS = 600;

type Access = { readonly token: string; readonly base: string; readonly until: number };

export function createDocusignClient(
  settings: DocusignSettings,
  { nowSeconds, fetch: send = fetch }: { nowSeconds: () => number; fetch?: typeof fetch },
): DocusignClient {
  const key = createPrivateKey(settings.privateKeyPem);
  let access: Promise<Access> | null = null;

  async function granted(): Promise<Access> {
    const kept = access === null ? null : await access.catch(() => null);
    if (kept !== null && nowSeconds() < kept.until) return kept;
    access = signIn(settings, key, { nowSeconds, send });
    return access;
  }

  async function request(method: string, path: string, body?: unknown): Promise<Response> {
    const { token, base } = await granted();
    const answer = await answerOf(send, `${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    // A token revoked before its time; the next request signs in anew.
    if (answer.status === 401) access = null;
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  }

  return {
    ask: async (method, path, body) => jsonOf(await request(method, path, body)),
    download: async (path) => new Uint8Array(await (await request('GET', path)).arrayBuffer()),
  };
}

type Tools = { readonly nowSeconds: () => number; readonly send: typeof fetch };

async function signIn(settings: DocusignSettings, key: KeyObject, tools: Tools): Promise<Access> {
  const at = tools.nowSeconds();
  const answer = await answerOf(tools.send, `${settings.authUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion(settings, key, at),
    }),
  });
  if (!answer.ok) throw await refusalOf(answer);
  const { access_token: token, expires_in: lives } = await jsonOf(answer);
  if (typeof token !== 'string') throw new SigningUnavailable('DocuSign answered without a token');
  const seconds = typeof lives === 'number' ? lives : 3600;
  const base = await accountBase(settings, token, tools.send);
  return { token, base, until: at + Math.max(60, seconds - TOKEN_MARGIN_SECONDS) };
}

/** RFC 7519, signed with RS256; `aud` is the host alone. */
function assertion(
  { integrationKey, userId, authUrl }: DocusignSettings,
  key: KeyObject,
  at: number,
): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    iss: integrationKey,
    sub: userId,
    aud: new URL(authUrl).host,
    iat: at,
    exp: at + ASSERTION_SECONDS,
    scope: 'signature impersonation',
  };
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

async function accountBase(settings: DocusignSettings, token: string, send: typeof fetch): Promise<string> {
  const answer = await answerOf(send, `${settings.authUrl}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw await refusalOf(answer);
  const { accounts } = (await jsonOf(answer)) as {
    accounts?: readonly { account_id: string; is_default: boolean | string; base_uri: string }[];
  };
  const account = accounts?.find(({ account_id: id, is_default: isDefault }) =>
    settings.accountId === null ? String(isDefault) === 'true' : id === settings.accountId,
  );
  if (account === undefined)
    throw new SigningUnavailable(
      `DocuSign knows no account ${settings.accountId ?? 'by default'} of this user`,
    );
  return `${account.base_uri}/restapi/v2.1/accounts/${account.account_id}`;
}

async function answerOf(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await send(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
  } catch (error) {
    throw new SigningUnavailable('DocuSign did not answer', { cause: error });
  }
}

async function jsonOf(answer: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await answer.json().catch(() => null);
  if (typeof value !== 'object' || value === null)
    throw new SigningUnavailable(`DocuSign answered ${answer.status} without JSON`);
  return value as Record<string, unknown>;
}

/** The token service says `error`, the API `errorCode`. */
async function refusalOf(answer: Response): Promise<SigningUnavailable> {
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  const code = body['errorCode'] ?? body['error'];
  if (typeof code !== 'string') return new SigningUnavailable(`DocuSign answered ${answer.status}`);
  return new DocusignRefusal(code, String(body['message'] ?? body['error_description'] ?? answer.status));
}
