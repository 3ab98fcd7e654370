// Which broker connections are queried, and how long they rest. A slow or absent broker delays only its own connection;
// what is asked then, and when, says what-to-ask.
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { SECOND_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { SessionStatus } from './session-health.ts';

type Connection = { readonly id: BrokerConnectionId };

/**
 * Those that are due: of the connections with an order at the broker, including those whose deployments have all ended,
 * and of the others.
 */
export function connectionsToReconcile<One extends Connection>(
  open: readonly One[],
  all: readonly One[],
  isDue: (connection: One) => boolean,
): readonly One[] {
  const openIds = new Set(open.map(({ id }) => id));
  return [...open, ...all.filter(({ id }) => !openIds.has(id))].filter(isDue);
}

/** Connections with orders to send come first, then those with orders at the broker, then those whose stops do not match. */
export function connectionsToAct<One extends Connection>(
  toSend: readonly One[],
  open: readonly One[],
  mismatched: readonly One[],
): readonly One[] {
  const found = new Map<BrokerConnectionId, One>();
  for (const one of [...toSend, ...open, ...mismatched]) if (!found.has(one.id)) found.set(one.id, one);
  return [...found.values()];
}

/** How long to wait after a failure. Permission to trade needs a person, so the wait is longer. */
export function idleAfterFailure(status: SessionStatus | null): number {
  return status === 'read_only' ? READ_ONLY_IDLE_MS : IDLE_MS;
}

/** One that yielded to another program keeps polling without taking the session back; a new session would take it. */
export function keepsSession(status: SessionStatus | null): boolean {
  return status === 'connected' || status === 'competing';
}

/** A session whose stream is heard lives: it is looked at less often, and still well before it would end. */
export function isKeepAliveDue(
  keptAliveAt: WallInstant,
  realNow: WallInstant,
  { isStreamed }: { readonly isStreamed: boolean },
): boolean {
  const since = msBetween(keptAliveAt, realNow);
  // A clock that was set back says nothing about how long ago it was.
  return since < 0 || since >= (isStreamed ? STREAMED_KEEP_ALIVE_MS : KEEP_ALIVE_MS);
}

const KEEP_ALIVE_MS = 55 * SECOND_MS;
const STREAMED_KEEP_ALIVE_MS = 115 * SECOND_MS;
export const IDLE_MS = 5 * SECOND_MS;
const READ_ONLY_IDLE_MS = 30 * SECOND_MS;
