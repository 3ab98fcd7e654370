// Asks the trader about broker accounts and waits a bounded time for its answer. What is not answered in time stays
// asked, so that the next look finds it.
import { randomUUID } from 'node:crypto';
import type { BrokerRequestKind } from '#engine/execution/connection/broker-request.ts';
import type { DatabaseHandle } from '../postgres/database.ts';
import { listenTo } from '../postgres/notifications.ts';
import {
  type AnsweredRequest,
  ANSWERS_CHANNEL,
  type AskedAdviser,
  type AskedConnection,
  askTrader,
  findAnswer,
} from './broker-requests.ts';

export type BrokerQuestions = {
  /** Null when there is no answer in time, or the asking user may not ask. */
  ask(question: BrokerQuestion): Promise<AnsweredRequest | null>;
  close(): Promise<void>;
};

export type BrokerQuestion = {
  readonly kind: BrokerRequestKind;
  readonly connection: AskedConnection | AskedAdviser;
  readonly patienceMs: number;
};

export function createBrokerQuestions({ database, pool }: DatabaseHandle): BrokerQuestions {
  const waiting = new Map<string, Set<() => void>>();
  const listening = listenTo(pool, ANSWERS_CHANNEL, (id) => {
    for (const wake of waiting.get(id) ?? []) wake();
  });
  /** Until the message about this request, or until patience ends. */
  const message = (id: string, patienceMs: number): Promise<void> =>
    new Promise((resolve) => {
      const waiters = waiting.get(id) ?? new Set();
      waiting.set(id, waiters);
      const wake = () => {
        clearTimeout(timer);
        waiters.delete(wake);
        if (waiters.size === 0) waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(wake, patienceMs);
      waiters.add(wake);
    });
  return {
    async ask({ kind, connection, patienceMs }) {
      await listening.ensure();
      const until = performance.now() + patienceMs;
      const id = await askTrader(database, { id: randomUUID(), kind, connection });
      if (id === null) return null;
      for (;;) {
        const left = until - performance.now();
        // A message may be lost, or come before anyone waits: the row decides.
        const wakes = left > 0 ? message(id, Math.min(left, LOOK_AGAIN_MS)) : null;
        const answer = await findAnswer(database, id);
        if (answer !== null || wakes === null) return answer;
        await wakes;
      }
    },
    close: () => listening.close(),
  };
}

const LOOK_AGAIN_MS = 1_000;
