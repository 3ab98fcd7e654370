// The line from a session to its store, with the state that the port reports.
import type { BrokerAnswer, SessionState } from '#ports/broker.ts';
import { failed } from '../exchange.ts';
import { tryStore } from './try-store.ts';

export type StoreLine = {
  /** Asks the store; a failure of it says nothing about what it did. */
  ask<Value>(question: () => Promise<Value>): Promise<BrokerAnswer<Value>>;
  state(): SessionState;
  close(): void;
};

export function openStoreLine(): StoreLine {
  let state: SessionState = { status: 'connected', detail: '' };
  const isClosed = () => state.status === 'closed';
  return {
    async ask(question) {
      if (isClosed()) return failed('no_session', 'the session is closed');
      const answer = await tryStore(question);
      if (!isClosed())
        state =
          answer.outcome === 'ok'
            ? { status: 'connected', detail: '' }
            : { status: 'lost', detail: answer.reason };
      return answer;
    },
    state: () => state,
    close() {
      state = { status: 'closed', detail: '' };
    },
  };
}
