// Starts the inner session on demand, once for all concurrent callers.
import type { BrokerAnswer } from '#ports/broker.ts';
import { failed } from '../../exchange.ts';
import type { Connection } from '../connection.ts';
import { establishSession } from './establish-session.ts';
import type { SessionStatus } from './session-status.ts';

export type SessionStarter = {
  /** Starts the inner session unless it is connected. */
  ready(): Promise<BrokerAnswer<null>>;
  /** Asks the vendor whether it is up. */
  confirm(): Promise<boolean>;
  /** How often it was started. */
  readonly starts: number;
  /** The selected account, to which its trade queries apply; null when unknown. */
  selected: string | null;
};

export function createSessionStarter(
  connection: Connection,
  status: SessionStatus,
  options: { readonly compete: boolean; readonly sleep?: (ms: number) => Promise<void> },
): SessionStarter {
  let starting: Promise<BrokerAnswer<null>> | null = null;
  let starts = 0;
  let selected: string | null = null;
  const start = async (): Promise<BrokerAnswer<null>> => {
    const answer = await establishSession(connection, {
      ...options,
      compete: options.compete && !status.hasYielded,
    });
    if (answer.outcome === 'ok') {
      selected = answer.value;
      starts += 1;
      status.note('connected', '');
      return { outcome: 'ok', value: null };
    }
    const { becomes, ...failure } = answer;
    status.note(becomes, failure.reason);
    return failure;
  };
  return {
    get starts() {
      return starts;
    },
    get selected() {
      return selected;
    },
    set selected(account) {
      selected = account;
    },
    async confirm() {
      const answer = await establishSession(connection, { ...options, isStarted: true });
      if (answer.outcome === 'failed') return false;
      selected = answer.value;
      starts += 1;
      return true;
    },
    ready() {
      if (status.status === 'connected') return Promise.resolve({ outcome: 'ok', value: null });
      if (status.status === 'closed') return Promise.resolve(failed('no_session', 'the session was closed'));
      starting ??= start().finally(() => {
        starting = null;
      });
      return starting;
    },
  };
}
