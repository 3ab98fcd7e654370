// The inner session that trading needs, on top of the signed connection: started, watched, and started again.
import type { BrokerAnswer, SessionState } from '#ports/broker.ts';
import { bodyOf } from '../../exchange.ts';
import type { Connection } from '../connection.ts';
import { COMPETING, readTickle, statusAfter } from './establish-session.ts';
import { errorText, failureOf } from '../failure-of.ts';
import { createSessionQueries, type SessionQueries } from './session-queries.ts';
import { createSessionStarter, type SessionStarter } from './session-starter.ts';
import { createSessionStatus, type SessionStatus } from './session-status.ts';

export type Brokerage = SessionQueries &
  Pick<SessionStatus, 'state' | 'onChange'> &
  Pick<SessionStarter, 'ready' | 'starts'> & {
    /** The cookie that the stream requires; known after a keepAlive. */
    readonly streamToken: string | null;
    /** Called when an answer shows that the permission does not cover trading. */
    forbidden(detail: string): void;
    /** Called when the stream reports that the inner session is gone. */
    lostByStream(isCompeting: boolean): void;
    keepAlive(): Promise<BrokerAnswer<SessionState>>;
    close(): Promise<void>;
  };

export function createBrokerage(
  connection: Connection,
  options: { readonly compete: boolean; readonly sleep?: (ms: number) => Promise<void> },
): Brokerage {
  const status = createSessionStatus(connection);
  const starter = createSessionStarter(connection, status, options);
  const queries = createSessionQueries(connection, status, starter);
  let streamToken: string | null = null;
  return {
    ...queries,
    ready: starter.ready,
    onChange: status.onChange,
    get state() {
      return status.state;
    },
    get starts() {
      return starter.starts;
    },
    get streamToken() {
      return streamToken;
    },
    forbidden: (detail) => status.note('read_only', detail),
    lostByStream: (isCompeting) =>
      queries.lost(isCompeting ? COMPETING : 'the broker says that the session has ended'),
    async keepAlive() {
      const result = await connection.query({ method: 'POST', path: '/tickle', priority: 'reconcile' });
      const failure = failureOf(result);
      if (failure) {
        status.note(statusAfter(result, failure), failure.reason);
        return failure;
      }
      const said = result.kind === 'answered' ? errorText(result) : null;
      const { status: found, token } = readTickle(bodyOf(result), said);
      streamToken = token ?? streamToken;
      if (found === 'ready' && status.status === 'connected') status.note('connected', '');
      else {
        // For a connected session that we did not start, we have not yet requested the accounts.
        if (status.status === 'connected' || found === COMPETING) queries.lost(found);
        await starter.ready();
      }
      return { outcome: 'ok', value: status.state };
    },
    async close() {
      if (status.status === 'connected')
        await connection.send({ method: 'POST', path: '/logout', priority: 'reconcile' });
      status.close();
    },
  };
}
