import type { Answer, SentBody, SentParams, SentQuery } from '#contract/http/endpoint.ts';
import type { EndpointName, EveryEndpoint } from '#contract/every-endpoint.ts';
import type { Refusal } from '#contract/http/error-code.ts';
import { ROUTES } from '#contract/http/route.ts';
import { askConfirmation, type ConfirmedBy } from './confirmation.ts';
import { CallError } from './call-error.ts';
import { inTime } from './in-time.ts';
import { refreshSession } from './refresh-session.ts';
import { takeEarlyAnswer } from './early-answer.ts';
import { clearTokens, readAccessToken } from './tokens.ts';

type Sent<E> = Wanted<'params', SentParams<E>> & Wanted<'query', SentQuery<E>> & Wanted<'body', SentBody<E>>;

type CallInput<Name extends EndpointName> = Sent<EveryEndpoint[Name]> & {
  signal?: AbortSignal;
  /** Sent as Idempotency-Key, so that a repeated press moves money once. */
  idempotencyKey?: string;
};

/**
 * One call of the contract by its name. Answers what the contract says, or throws a CallError, at the latest when
 * patience ends. Where the service wants a confirmation first, the person is asked and the call repeated once. An access token that has run out is refreshed once and the call repeated once; when that fails too,
 * the session is over.
 */
export function call<Name extends EndpointName>(
  name: Name,
  ...[input]: Record<never, never> extends CallInput<Name>
    ? [input?: CallInput<Name>]
    : [input: CallInput<Name>]
): Promise<Answer<EveryEndpoint[Name]>> {
  const sent: Parts = input ?? {};
  const patience = ROUTES[name].method === 'GET' ? READ : ACT;
  const attempt = () =>
    inTime({ ...patience, signal: sent.signal }, (signal) => perform(name, { ...sent, signal }));
  return attempt().catch(async (error: unknown) => {
    if (!(error instanceof CallError) || error.code !== 'confirmation_required') throw error;
    if (await askConfirmation(confirmedBy(error))) return attempt();
    throw error;
  });
}

/** What the service asks for; a password where it does not say. */
function confirmedBy({ details }: CallError): ConfirmedBy {
  const by = details?.['by'];
  return by === 'passkey' || by === 'code' ? by : 'password';
}

const READ = { ms: 20_000 };
/** Behind an act the service may ask a broker some questions, with 15 s for each. */
const ACT = {
  ms: 60_000,
  late: 'The service did not respond in time. Your request may still have gone through: check before you try again.',
};

async function perform<Name extends EndpointName>(
  name: Name,
  sent: Parts,
): Promise<Answer<EveryEndpoint[Name]>> {
  const token = SIGN_IN_CALLS.has(name) ? null : readAccessToken();
  let response = await send(name, sent, token);
  if (response.status === 401 && token !== null) {
    const fresh = await guardReach(() => refreshSession(token, sent.signal));
    if (fresh === null) return endSession();
    response = await send(name, sent, fresh);
    if (response.status === 401) return endSession();
  }
  if (!response.ok) throw await readRefusal(response);
  if (response.status === 204) return undefined as Answer<EveryEndpoint[Name]>;
  return (await guardReach(() => response.json())) as Answer<EveryEndpoint[Name]>;
}

/** The address of a call, for links that open by themselves. */
export function addressOf<Name extends EndpointName>(
  name: Name,
  input: { params?: Record<string, string>; query?: Record<string, unknown> } = {},
): string {
  const path = ROUTES[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(input.params?.[key] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(key, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Notifies when the service ended the session, so that the shell can say so and go to sign-in. */
export function watchSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

type Wanted<Key extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Record<never, never> extends Value
    ? { [key in Key]?: Value }
    : { [key in Key]: Value };

type Parts = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
};

/** Calls that make a session and therefore carry none. */
const SIGN_IN_CALLS: ReadonlySet<EndpointName> = new Set([
  'login',
  'register',
  'refreshToken',
  'requestPasswordReset',
  'confirmPasswordReset',
]);
const endListeners = new Set<() => void>();

async function send(name: EndpointName, sent: Parts, token: string | null): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token !== null) headers['authorization'] = `Bearer ${token}`;
  if (sent.idempotencyKey) headers['idempotency-key'] = sent.idempotencyKey;
  if (sent.body !== undefined) headers['content-type'] = 'application/json';
  const address = addressOf(name, sent);
  const { method } = ROUTES[name];
  const early = method === 'GET' ? takeEarlyAnswer(address) : null;
  // One that failed is asked for again.
  const answer = await early?.catch(() => null);
  if (answer) return answer;
  return guardReach(() =>
    fetch(address, {
      method,
      headers,
      body: sent.body === undefined ? null : JSON.stringify(sent.body),
      signal: sent.signal ?? null,
    }),
  );
}

/** Turns a failed connection into a CallError; a call that was called off or is late stays what it is. */
async function guardReach<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof CallError || (error instanceof DOMException && error.name === 'AbortError'))
      throw error;
    throw new CallError(0, {
      code: 'unreachable',
      message: 'We cannot reach the service. Check your connection and try again.',
    });
  }
}

async function readRefusal(response: Response): Promise<CallError> {
  const refusal = (await response.json().catch(() => null)) as Partial<Refusal> | null;
  return new CallError(response.status, {
    ...refusal,
    code: refusal?.code ?? 'internal_error',
    message: refusal?.message ?? 'Something went wrong on our side. Please try again.',
  });
}

function endSession(): never {
  clearTokens();
  for (const listener of endListeners) listener();
  throw new CallError(401, { code: 'session_ended', message: 'Logged out' });
}
