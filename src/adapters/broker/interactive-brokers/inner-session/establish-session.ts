// Starts the inner session at the vendor, and reads its state from the vendor's answers.
import type { BrokerFailure } from '#ports/broker.ts';
import { asFlag, asText, fieldsOf, reading, Unreadable } from '../../answer-fields.ts';
import { bodyOf, type Exchange, failed } from '../../exchange.ts';
import { type Ask, type Connection, wait } from '../connection.ts';
import { failureOf, isForbidden, mayLackSession } from '../failure-of.ts';

/** Starts the inner session, or asks once for the one that is started, and returns its selected account. */
export async function establishSession(
  connection: Connection,
  { compete, sleep = wait, isStarted = false }: StartOptions,
): Promise<Established> {
  const json = { publish: true, compete };
  const start: Ask = { method: 'POST', path: '/iserver/auth/ssodh/init', json, priority: 'reconcile' };
  let ask = isStarted ? ASK_STATUS : start;
  for (let look = 1; ; look++) {
    const result = await connection.query(ask);
    const failure = failureOf(result);
    if (failure && !mayLackSession(result)) return { ...failure, becomes: statusAfter(result, failure) };
    const status = failure ? failure.reason : readSessionStatus(bodyOf(result));
    if (status === COMPETING) return { ...failed('no_session', status), becomes: 'competing' };
    const isBridged = status === 'ready' ? await askAccounts(connection) : null;
    if (isBridged !== null && !(isBridged.outcome === 'failed' && isBridged.code === 'no_session'))
      return isBridged;
    if (look === LOOKS_MAX || isStarted)
      return { ...failed('no_session', isBridged?.reason ?? status), becomes: 'degraded' };
    await sleep(LOOK_AGAIN_MS);
    ask = ASK_STATUS;
  }
}

type StartOptions = {
  readonly compete: boolean;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly isStarted?: boolean;
};

const ASK_STATUS: Ask = { method: 'POST', path: '/iserver/auth/status', priority: 'reconcile' };

type Established =
  | { readonly outcome: 'ok'; readonly value: string | null }
  | (BrokerFailure & { readonly becomes: 'competing' | ReturnType<typeof statusAfter> });

/**
 * After every start, both lists must be requested before orders and positions are answered. Just after a start there may
 * be no bridge yet.
 */
async function askAccounts(connection: Connection): Promise<Established> {
  const result = await connection.query({ method: 'GET', path: '/iserver/accounts', priority: 'reconcile' });
  const failure = failureOf(result);
  if (mayLackSession(result)) return { ...failed('no_session', 'no bridge yet'), becomes: 'degraded' };
  if (failure) return { ...failure, becomes: statusAfter(result, failure) };
  const selected = reading(() => asText(fieldsOf(bodyOf(result), 'the accounts').selectedAccount));
  return selected.outcome === 'ok' ? selected : { ...selected, becomes: 'degraded' };
}

/** No answer means that the broker is lost; any answer means that it is not. */
export function statusAfter(
  result: Exchange,
  { code }: BrokerFailure,
): 'signed_out' | 'read_only' | 'degraded' | 'lost' {
  if (code === 'unauthorized') return 'signed_out';
  if (isForbidden(result)) return 'read_only';
  const isSilent = result.kind === 'lost' || (result.kind === 'not_sent' && code === 'unreachable');
  return isSilent ? 'lost' : 'degraded';
}

export function readTickle(
  body: unknown,
  said: string | null,
): { readonly status: string; readonly token: string | null } {
  try {
    const fields = fieldsOf(body, 'the tickle answer');
    const { authStatus } = fieldsOf(fields.iserver, 'iserver');
    return { status: readSessionStatus(authStatus), token: asText(fields.session) };
  } catch (error) {
    if (error instanceof Unreadable) return { status: said ?? error.message, token: null };
    throw error;
  }
}

/** 'ready', or why not. */
function readSessionStatus(body: unknown): string {
  if (typeof body !== 'object' || body === null) return 'the broker does not say how the session stands';
  const status = body as Record<string, unknown>;
  if (asFlag(status.competing) === true) return COMPETING;
  const established = status.established ?? null;
  const isOpen = asFlag(status.authenticated) === true && asFlag(status.connected) === true;
  if (isOpen && (established === null || asFlag(established) === true)) return 'ready';
  const said = [status.fail, status.message, status.error].map(asText).find((text) => text !== null);
  return said ?? 'the trading session is not established yet';
}

export const COMPETING = 'the same user name is signed in elsewhere at the broker';
const LOOKS_MAX = 10;
const LOOK_AGAIN_MS = 500;
