// The inner session that trading needs, on top of the signed connection: started, watched, and started again.
import type { BrokerAnswer, BrokerFailure, SessionState } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { asText, fieldsOf, reading, Unreadable } from '../answer-fields.ts';
import { bodyOf, type Exchange, failed } from '../exchange.ts';
import type { Priority } from '../pacer.ts';
import { failureOf } from './failure-of.ts';
import { type Ask, type Connection, wait } from './connection.ts';

type Standing = Pick<SessionState, 'status' | 'detail'>;

export type Brokerage = {
  readonly state: SessionState;
  /** Tells each change of the state; answers how to stop. */
  onChange(listener: (state: SessionState) => void): () => void;
  /** What the stream asks for as its cookie; known after a keepAlive. */
  readonly streamToken: string | null;
  /** Starts the inner session unless it stands. */
  ready(): Promise<BrokerAnswer<null>>;
  /** A query that needs the inner session: starts it when necessary, and once more when it turns out to be gone. */
  query(ask: Ask): Promise<BrokerAnswer<unknown>>;
  /** The vendor's trade queries and cancellations speak of the selected account alone. */
  select(accountId: BrokerAccountId, priority: Priority): Promise<BrokerAnswer<null>>;
  /** Told when an answer shows that the inner session is gone. */
  lost(detail: string): void;
  /** Told when the stream says that the inner session is gone. */
  lostByStream(isCompeting: boolean): void;
  keepAlive(): Promise<BrokerAnswer<SessionState>>;
  close(): Promise<void>;
};

export function createBrokerage(
  connection: Connection,
  options: { readonly compete: boolean; readonly sleep?: (ms: number) => Promise<void> },
): Brokerage {
  let standing: Standing = { status: 'read_only', detail: 'the trading session starts when it is needed' };
  let selected: string | null = null;
  let starting: Promise<BrokerAnswer<null>> | null = null;
  // Whoever took the session from us keeps it: the person may be trading by hand.
  let hasYielded = false;
  let streamToken: string | null = null;
  const listeners = new Set<(state: SessionState) => void>();

  const stateNow = (): SessionState => ({
    ...standing,
    answeredAt: connection.answeredAt as SessionState['answeredAt'],
  });
  const become = (next: Standing) => {
    const isChange = next.status !== standing.status || next.detail !== standing.detail;
    standing = next;
    if (isChange) for (const listener of listeners) listener(stateNow());
  };
  const note = (status: Exclude<SessionState['status'], 'closed'>, detail: string) => {
    if (status === 'competing') hasYielded = true;
    if (status === 'connected') hasYielded = false;
    if (standing.status !== 'closed') become({ status, detail });
  };

  const start = async (): Promise<BrokerAnswer<null>> => {
    const answer = await establish(connection, { ...options, compete: options.compete && !hasYielded });
    if (answer.outcome === 'ok') {
      selected = answer.value;
      note('connected', '');
      return { outcome: 'ok', value: null };
    }
    if (answer.reason === COMPETING) note('competing', answer.reason);
    else note(answer.code === 'unauthorized' ? 'signed_out' : 'degraded', answer.reason);
    return answer;
  };

  const ready = (): Promise<BrokerAnswer<null>> => {
    if (standing.status === 'connected') return Promise.resolve({ outcome: 'ok', value: null });
    if (standing.status === 'closed') return Promise.resolve(failed('no_session', 'the session was closed'));
    starting ??= start().finally(() => {
      starting = null;
    });
    return starting;
  };

  const lost = (detail: string) => note(detail === COMPETING ? 'competing' : 'degraded', detail);

  const query = async (ask: Ask): Promise<BrokerAnswer<unknown>> => {
    for (let attempt = 1; ; attempt++) {
      const stands = await ready();
      if (stands.outcome === 'failed') return stands;
      const result = await connection.query(ask);
      const failure = failureOf(result);
      if (!failure) return { outcome: 'ok', value: bodyOf(result) };
      if (failure.code === 'unauthorized' || result.kind === 'lost')
        note(statusAfter(result, failure), failure.reason);
      if (failure.code !== 'no_session' && !ASK_ACCOUNTS_FIRST.test(failure.reason)) return failure;
      lost(failure.reason);
      if (attempt === 2) return failed('no_session', failure.reason);
    }
  };

  return {
    get state() {
      return stateNow();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready,
    query,
    lost,
    lostByStream: (isCompeting) =>
      lost(isCompeting ? COMPETING : 'the broker says that the session has ended'),
    async select(accountId, priority) {
      const stands = await ready();
      if (stands.outcome === 'failed') return stands;
      if (selected === accountId) return { outcome: 'ok', value: null };
      const answer = await query({
        method: 'POST',
        path: '/iserver/account',
        json: { acctId: accountId },
        priority,
      });
      if (answer.outcome === 'failed') return answer;
      selected = accountId;
      return { outcome: 'ok', value: null };
    },
    async keepAlive() {
      const result = await connection.query({ method: 'POST', path: '/tickle', priority: 'reconcile' });
      const failure = failureOf(result);
      if (failure) {
        note(statusAfter(result, failure), failure.reason);
        return failure;
      }
      const { standing: found, token } = readTickle(bodyOf(result));
      streamToken = token;
      if (found === 'ready' && standing.status === 'connected') note('connected', '');
      else {
        // A session that stands, but that we did not start, has not been asked for its accounts by us.
        if (standing.status === 'connected' || found === COMPETING) lost(found);
        await ready();
      }
      return { outcome: 'ok', value: stateNow() };
    },
    get streamToken() {
      return streamToken;
    },
    async close() {
      if (standing.status === 'connected')
        await connection.send({ method: 'POST', path: '/logout', priority: 'reconcile' });
      become({ status: 'closed', detail: '' });
    },
  };
}

/** Starts the inner session and answers the account that it has selected. */
async function establish(
  connection: Connection,
  { compete, sleep = wait }: { readonly compete: boolean; readonly sleep?: (ms: number) => Promise<void> },
): Promise<BrokerAnswer<string | null>> {
  let ask: Ask = {
    method: 'POST',
    path: '/iserver/auth/ssodh/init',
    json: { publish: true, compete },
    priority: 'reconcile',
  };
  for (let look = 1; ; look++) {
    const result = await connection.query(ask);
    const failure = failureOf(result);
    if (failure && failure.code !== 'no_session') return failure;
    const standing = failure ? failure.reason : readStanding(bodyOf(result));
    if (standing === 'ready') break;
    if (standing === COMPETING || look === LOOKS_MAX) return failed('no_session', standing);
    await sleep(LOOK_AGAIN_MS);
    ask = { method: 'POST', path: '/iserver/auth/status', priority: 'reconcile' };
  }
  return askAccounts(connection);
}

/** Both lists must be asked for before orders and positions are answered, after each start anew. */
async function askAccounts(connection: Connection): Promise<BrokerAnswer<string | null>> {
  const result = await connection.query({ method: 'GET', path: '/iserver/accounts', priority: 'reconcile' });
  const failure = failureOf(result);
  if (failure) return failure;
  return reading(() => asText(fieldsOf(bodyOf(result), 'the accounts').selectedAccount));
}

/** Silence is a loss of the broker; an answer, whatever it says, is not. */
function statusAfter(result: Exchange, { code }: BrokerFailure): 'signed_out' | 'degraded' | 'lost' {
  if (code === 'unauthorized') return 'signed_out';
  const isSilent = result.kind === 'lost' || (result.kind === 'not_sent' && code === 'unreachable');
  return isSilent ? 'lost' : 'degraded';
}

function readTickle(body: unknown): { readonly standing: string; readonly token: string | null } {
  try {
    const fields = fieldsOf(body, 'the tickle answer');
    const { authStatus } = fieldsOf(fields.iserver, 'iserver');
    return { standing: readStanding(authStatus), token: asText(fields.session) };
  } catch (error) {
    if (error instanceof Unreadable) return { standing: error.message, token: null };
    throw error;
  }
}

/** 'ready', or why not. */
function readStanding(body: unknown): string {
  if (typeof body !== 'object' || body === null) return 'the broker does not say how the session stands';
  const standing = body as Record<string, unknown>;
  if (standing.competing === true) return COMPETING;
  if (standing.authenticated === true && standing.connected === true && standing.established !== false)
    return 'ready';
  return asText(standing.fail) ?? asText(standing.message) ?? 'the trading session is not established yet';
}

const COMPETING = 'the same user name is signed in elsewhere at the broker';
const ASK_ACCOUNTS_FIRST = /query \/accounts first/i;
const LOOKS_MAX = 10;
const LOOK_AGAIN_MS = 500;
