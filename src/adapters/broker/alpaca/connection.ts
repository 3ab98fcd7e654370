// One user's connection: a bearer token from their permission, or an API key with its secret.
import { createHash } from 'node:crypto';
import type { BrokerAnswer, BrokerCredentials, BrokerFailure, SessionState } from '#ports/broker.ts';
import { asText } from '../answer-fields.ts';
import { bodyOf, type Exchange, exchange, failed, HELD_BACK, urlOf } from '../exchange.ts';
import type { Priority } from '../rate-limits.ts';
import { createRateLimiter } from '../rate-limiter.ts';
import { inSharedWindow } from '../shared-window.ts';
import { refusesOrder } from './refusals.ts';
import { type AlpacaConfig, PUBLISHED_RATE_LIMITS } from './config.ts';
import { wallInstant } from '#units/wall-instant.ts';

type Ask = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly priority: Priority;
  /** Checked last before the request is sent; see the port's submitOrder. */
  readonly mayLeave?: (() => boolean) | undefined;
};

export type Connection = {
  /** Sends once. */
  send(ask: Ask): Promise<Exchange>;
  /** Sends a query, and retries once if there was no answer: queries change nothing. */
  query(ask: Omit<Ask, 'method' | 'json'>): Promise<BrokerAnswer<unknown>>;
  readonly state: SessionState;
  close(): void;
};

export function openConnection(config: AlpacaConfig, credentials: BrokerCredentials): Connection {
  const now = config.now ?? Date.now;
  const limits = config.rateLimits ?? PUBLISHED_RATE_LIMITS;
  const limiter = createRateLimiter(limits, { until: 0 }, now);
  const window = config.sharedWindowOf?.(hashOf(credentials)) ?? null;
  const shared = { window, backOffMs: limits.backOffMs, now };
  const headers = headersOf(credentials);
  let state: SessionState = { status: 'connected', detail: '', answeredAt: null };

  const note = (result: Exchange) => {
    if (state.status === 'closed') return;
    const { answeredAt } = state;
    if (result.kind === 'lost' || (result.kind === 'not_sent' && result.code === 'unreachable'))
      state = { status: 'lost', detail: result.reason, answeredAt };
    if (result.kind !== 'answered') return;
    const failure = failureOf(result);
    const at = result.status < 500 ? wallInstant(now()) : answeredAt;
    if (failure?.code === 'unauthorized')
      state = { status: 'signed_out', detail: failure.reason, answeredAt: at };
    else if (result.status >= 500)
      state = { status: 'degraded', detail: failure?.reason ?? '', answeredAt: at };
    else state = { status: 'connected', detail: '', answeredAt: at };
  };

  const send = async (ask: Ask): Promise<Exchange> => {
    if (state.status === 'closed')
      return { kind: 'not_sent', code: 'no_session', reason: 'the session was closed' };
    const { method, path, query, json } = ask;
    const { timeoutMs, fetch } = config;
    const url = urlOf(`${config.baseUrl}${path}`, query);
    const leave = async (): Promise<Exchange> => {
      if (ask.mayLeave?.() === false) return HELD_BACK;
      return exchange({ method, url, headers, json, timeoutMs, fetch });
    };
    const result = await limiter.run(path, ask.priority, () => inSharedWindow(shared, leave));
    note(result);
    return result;
  };

  return {
    send,
    async query(ask) {
      const first = await send({ ...ask, method: 'GET' });
      const result = first.kind === 'lost' ? await send({ ...ask, method: 'GET' }) : first;
      return failureOf(result) ?? { outcome: 'ok', value: bodyOf(result) };
    },
    get state() {
      return state;
    },
    close() {
      state = { ...state, status: 'closed', detail: '' };
    },
  };
}

/** Whom the vendor counts the requests for. */
function hashOf({ accessToken, keyId }: BrokerCredentials): string {
  return createHash('sha256')
    .update(String(accessToken ?? keyId))
    .digest('hex');
}

function headersOf({ accessToken, keyId, secretKey }: BrokerCredentials): Record<string, string> {
  if (accessToken !== undefined) return { authorization: `Bearer ${String(accessToken)}` };
  return { 'apca-api-key-id': String(keyId), 'apca-api-secret-key': String(secretKey) };
}

/** The failure that an exchange means, or null on success. */
export function failureOf(result: Exchange): BrokerFailure | null {
  if (result.kind === 'not_sent') return failed(result.code, result.reason);
  if (result.kind === 'lost') return failed('unreachable', `no answer from the broker: ${result.reason}`);
  const { status } = result;
  const said = messageOf(result) ?? `HTTP ${status}`;
  if (status === 429) return failed('rate_limited', 'the broker asks us to slow down');
  // 403 also refuses orders, under codes of their own.
  if (status === 401 || (status === 403 && !refusesOrder(codeOf(result))))
    return failed('unauthorized', said);
  if (status >= 500) return failed('unreachable', said);
  if (status >= 400) return failed('refused', said);
  if (result.body === undefined && result.text !== '')
    return failed('unreadable', 'the broker answered with something that is not JSON');
  return null;
}

export function messageOf(result: Extract<Exchange, { kind: 'answered' }>): string | null {
  const { body } = result;
  return typeof body === 'object' && body !== null && 'message' in body ? asText(body.message) : null;
}

export function codeOf({ body }: Extract<Exchange, { kind: 'answered' }>): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
}
