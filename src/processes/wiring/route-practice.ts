// Keeps practice and the broker apart: credentials that the practice venue gave open its sessions, and no others do.
import type { Broker } from '#ports/broker.ts';
import { isPracticeCredentials } from '#adapters/broker/practice/credentials.ts';

/** `broker` in everything but practice sessions. It never sees a practice account, its credentials or an order of it. */
export function routePractice(broker: Broker, practice: Broker): Broker {
  return {
    ...broker,
    openSession: (credentials) =>
      isPracticeCredentials(credentials)
        ? practice.openSession(credentials)
        : broker.openSession(credentials),
  };
}
