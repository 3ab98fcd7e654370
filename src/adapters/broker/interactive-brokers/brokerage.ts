// The inner session that trading needs, on top of the signed connection: started, watched, and started again.
import type { BrokerAnswer, BrokerFailure, SessionState } from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { asFlag, asText, type Fields, fieldsOf, reading, Unreadable } from '../answer-fields.ts';
import { bodyOf, type Exchange, failed } from '../exchange.ts';
import type { Priority } from '../rate-limits.ts';
import { errorText, failureOf, isForbidden } from './failure-of.ts';
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
  /** A query that speaks of the selected account: a session that started anew meanwhile has another one selected. */
  queryOf(accountId: BrokerAccountId, ask: Ask): Promise<BrokerAnswer<unknown>>;
  /** Told when an answer shows that the inner session is gone. */
  lost(detail: string): void;
  /** Told when an answer shows that the permission covers no trading. */
  forbidden(detail: string): void;
  /** How often the inner session was started: what the vendor must be asked anew after each start. */
  readonly starts: number;
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
  let starts = 0;
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
      starts += 1;
      note('connected', '');
      return { outcome: 'ok', value: null };
    }
    const { becomes, ...failure } = answer;
    note(becomes, failure.reason);
    return failure;
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
      if (failure.code === 'unauthorized' || result.kind === 'lost' || isForbidden(result))
        note(statusAfter(result, failure), failure.reason);
      if (failure.code !== 'no_session' && !ASK_ACCOUNTS_FIRST.test(failure.reason)) return failure;
      lost(failure.reason);
      if (attempt === 2) return failed('no_session', failure.reason);
    }
  };

  const select: Brokerage['select'] = async (accountId, priority) => {
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
    const refusal = reading(() => switchRefusal(fieldsOf(answer.value, 'the switch of accounts'), accountId));
    if (refusal.outcome === 'failed') return refusal;
    if (refusal.value !== null) return failed('refused', refusal.value);
    selected = accountId;
    return { outcome: 'ok', value: null };
  };

  const queryOf: Brokerage['queryOf'] = async (accountId, ask) => {
    for (let attempt = 1; attempt <= SELECTIONS_MAX; attempt++) {
      const chosen = await select(accountId, ask.priority);
      if (chosen.outcome === 'failed') return chosen;
      const before = starts;
      const answer = await query(ask);
      if (answer.outcome === 'failed' || starts === before) return answer;
    }
    return failed('no_session', 'the trading session does not stay');
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
    forbidden: (detail) => note('read_only', detail),
    get starts() {
      return starts;
    },
    lostByStream: (isCompeting) =>
      lost(isCompeting ? COMPETING : 'the broker says that the session has ended'),
    select,
    queryOf,
    async keepAlive() {
      const result = await connection.query({ method: 'POST', path: '/tickle', priority: 'reconcile' });
      const failure = failureOf(result);
      if (failure) {
        note(statusAfter(result, failure), failure.reason);
        return failure;
      }
      const { standing: found, token } = readTickle(
        bodyOf(result),
        result.kind === 'answered' ? errorText(result) : null,
      );
      streamToken = token ?? streamToken;
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
): Promise<Established> {
  let ask: Ask = {
    method: 'POST',
    path: '/iserver/auth/ssodh/init',
    json: { publish: true, compete },
    priority: 'reconcile',
  };
  for (let look = 1; ; look++) {
    const result = await connection.query(ask);
    const failure = failureOf(result);
    if (failure && failure.code !== 'no_session')
      return { ...failure, becomes: statusAfter(result, failure) };
    const standing = failure ? failure.reason : readStanding(bodyOf(result));
    if (standing === COMPETING) return { ...failed('no_session', standing), becomes: 'competing' };
    const isBridged = standing === 'ready' ? await askAccounts(connection) : null;
    if (isBridged !== null && !(isBridged.outcome === 'failed' && isBridged.code === 'no_session'))
      return isBridged;
    if (look === LOOKS_MAX)
      return { ...failed('no_session', isBridged?.reason ?? standing), becomes: 'degraded' };
    await sleep(LOOK_AGAIN_MS);
    ask = { method: 'POST', path: '/iserver/auth/status', priority: 'reconcile' };
  }
}

type Established =
  | { readonly outcome: 'ok'; readonly value: string | null }
  | (BrokerFailure & { readonly becomes: 'competing' | ReturnType<typeof statusAfter> });

/**
 * Both lists must be asked for before orders and positions are answered, after each start anew. Just after a start there
 * may be no bridge yet.
 */
async function askAccounts(connection: Connection): Promise<Established> {
  const result = await connection.query({ method: 'GET', path: '/iserver/accounts', priority: 'reconcile' });
  const failure = failureOf(result);
  if (failure) return { ...failure, becomes: statusAfter(result, failure) };
  const selected = reading(() => asText(fieldsOf(bodyOf(result), 'the accounts').selectedAccount));
  return selected.outcome === 'ok' ? selected : { ...selected, becomes: 'degraded' };
}

/** Null when the switch was made, or had been; a text instead, also under status 200, is the vendor's no. */
function switchRefusal(answer: Fields, accountId: string): string | null {
  const isSet = asFlag(answer.set) === true || /already set/i.test(asText(answer.success) ?? '');
  const other = asText(answer.acctId);
  if (isSet && (other === null || other === accountId)) return null;
  return asText(answer.error) ?? `the broker did not switch to the account ${accountId}`;
}

/** Silence is a loss of the broker; an answer, whatever it says, is not. */
function statusAfter(
  result: Exchange,
  { code }: BrokerFailure,
): 'signed_out' | 'read_only' | 'degraded' | 'lost' {
  if (code === 'unauthorized') return 'signed_out';
  if (isForbidden(result)) return 'read_only';
  const isSilent = result.kind === 'lost' || (result.kind === 'not_sent' && code === 'unreachable');
  return isSilent ? 'lost' : 'degraded';
}

function readTickle(
  body: unknown,
  said: string | null,
): { readonly standing: string; readonly token: string | null } {
  try {
    const fields = fieldsOf(body, 'the tickle answer');
    const { authStatus } = fieldsOf(fields.iserver, 'iserver');
    return { standing: readStanding(authStatus), token: asText(fields.session) };
  } catch (error) {
    if (error instanceof Unreadable) return { standing: said ?? error.message, token: null };
    throw error;
  }
}

/** 'ready', or why not. */
function readStanding(body: unknown): string {
  if (typeof body !== 'object' || body === null) return 'the broker does not say how the session stands';
  const standing = body as Record<string, unknown>;
  if (asFlag(standing.competing) === true) return COMPETING;
  const established = standing.established ?? null;
  const isOpen = asFlag(standing.authenticated) === true && asFlag(standing.connected) === true;
  if (isOpen && (established === null || asFlag(established) === true)) return 'ready';
  const said = [standing.fail, standing.message, standing.error].map(asText).find((text) => text !== null);
  return said ?? 'the trading session is not established yet';
}

const COMPETING = 'the same user name is signed in elsewhere at the broker';
const ASK_ACCOUNTS_FIRST = /query \/accounts first/i;
const SELECTIONS_MAX = 3;
const LOOKS_MAX = 10;
const LOOK_AGAIN_MS = 500;
