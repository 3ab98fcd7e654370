// One HTTP exchange, and what may be concluded from it. Nothing here retries.
import type { BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { BrokerFailure } from '#ports/broker.ts';
import type { WallInstant } from '#units/wall-instant.ts';

export type Exchange =
  /** A complete answer arrived. `body` is parsed JSON, or undefined for anything else (then see `text`). */
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown; readonly text: string }
  /** It was never sent, so the vendor has not read the request. */
  | {
      readonly kind: 'not_sent';
      readonly code: BrokerFailureCode;
      readonly reason: string;
      readonly until?: WallInstant;
    }
  /** It may have been read and executed, but no complete answer came. */
  | { readonly kind: 'lost'; readonly reason: string };

type Outgoing = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** A body that is not JSON, with its type. */
  readonly raw?: { readonly type: string; readonly body: string };
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
};

export async function exchange(outgoing: Outgoing): Promise<Exchange> {
  const headers: Record<string, string> = {
    ...outgoing.headers,
    accept: 'application/json',
    'user-agent': 'bellwether',
  };
  // Interactive Brokers refuses a POST without a body (411).
  const body =
    outgoing.method === 'POST' ? (outgoing.raw?.body ?? JSON.stringify(outgoing.json ?? {})) : undefined;
  if (body !== undefined) headers['content-type'] = outgoing.raw?.type ?? 'application/json';
  try {
    const response = await (outgoing.fetch ?? fetch)(outgoing.url, {
      method: outgoing.method,
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(outgoing.timeoutMs ?? TIMEOUT_MS),
    });
    const text = await response.text();
    return { kind: 'answered', status: response.status, body: parseJson(text), text };
  } catch (error) {
    const code = connectionCode(error);
    const reason = code ?? (error instanceof Error ? error.message : String(error));
    if (code && NEVER_CONNECTED.has(code)) return { kind: 'not_sent', code: 'unreachable', reason };
    return { kind: 'lost', reason };
  }
}

/** A request that its sender withdrew while it waited in the queue. */
export const HELD_BACK: Exchange = {
  kind: 'not_sent',
  code: 'refused',
  reason: 'it was held back at the last moment',
};

export function bodyOf(result: Exchange): unknown {
  return result.kind === 'answered' ? result.body : undefined;
}

export function urlOf(url: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? url : `${url}?${search}`;
}

export function failed(code: BrokerFailure['code'], reason: string): BrokerFailure {
  return { outcome: 'failed', code, reason };
}

const TIMEOUT_MS = 15_000;
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function connectionCode(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string')
    return cause.code;
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
