// The state of the inner session, and the listeners notified of each change.
import type { SessionState } from '#ports/broker.ts';
import type { Connection } from '../connection.ts';

export type SessionStatus = {
  readonly state: SessionState;
  readonly status: SessionState['status'];
  /** Whether another program took the session. We do not take it back: the user may be trading by hand. */
  readonly hasYielded: boolean;
  /** A closed session stays closed. */
  note(status: Exclude<SessionState['status'], 'closed'>, detail: string): void;
  close(): void;
  /** Reports each change of state; returns the unsubscribe function. */
  onChange(listener: (state: SessionState) => void): () => void;
};

export function createSessionStatus(connection: Connection): SessionStatus {
  let current: Pick<SessionState, 'status' | 'detail'> = {
    status: 'read_only',
    detail: 'the trading session starts when it is needed',
  };
  let hasYielded = false;
  const listeners = new Set<(state: SessionState) => void>();
  const stateNow = (): SessionState => ({
    ...current,
    answeredAt: connection.answeredAt,
  });
  const become = (next: typeof current) => {
    const isChange = next.status !== current.status || next.detail !== current.detail;
    current = next;
    if (isChange) for (const listener of listeners) listener(stateNow());
  };
  return {
    get state() {
      return stateNow();
    },
    get status() {
      return current.status;
    },
    get hasYielded() {
      return hasYielded;
    },
    note(status, detail) {
      if (status === 'competing') hasYielded = true;
      if (status === 'connected') hasYielded = false;
      if (current.status !== 'closed') become({ status, detail });
    },
    close: () => become({ status: 'closed', detail: '' }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
