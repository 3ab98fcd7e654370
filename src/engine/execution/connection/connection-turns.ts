// When something is asked of a broker connection, and of which connections. A broker that is slow or away holds up its
// own connection only; a look is no more frequent than the broker lets its lists be asked for.
import type { BrokerConnectionId } from '#units/identifiers.ts';
import { type Instant, SECOND_MS } from '#units/instant.ts';
import type { SessionStatus } from './session-health.ts';

/** Times are of the real clock. */
export type ConnectionTurn = {
  readonly lookedAt: number;
  /** The stream told of something that no look has asked about yet. */
  readonly hasNews: boolean;
};

/** However many frames come, one look answers all that came since the last. */
export function isLookDue({ lookedAt, hasNews }: ConnectionTurn, realNow: Instant): boolean {
  return realNow - lookedAt >= (hasNews ? LOOK_AT_NEWS_MS : LOOK_ANYWAY_MS);
}

type Connection = { readonly id: BrokerConnectionId };

/**
 * Those with an order at the broker, also where every deployment has ended; the others when the stream told of something
 * there, and once in a while.
 */
export function connectionsToReconcile<One extends Connection>(
  open: readonly One[],
  all: readonly One[],
  isDue: (id: BrokerConnectionId) => boolean,
): readonly One[] {
  const openIds = new Set(open.map(({ id }) => id));
  return [...open, ...all.filter(({ id }) => !openIds.has(id) && isDue(id))];
}

/** Those with orders to send come first, then those with orders there, then those whose stops do not match. */
export function connectionsToAct<One extends Connection>(
  toSend: readonly One[],
  open: readonly One[],
  mismatched: readonly One[],
): readonly One[] {
  const found = new Map<BrokerConnectionId, One>();
  for (const one of [...toSend, ...open, ...mismatched]) if (!found.has(one.id)) found.set(one.id, one);
  return [...found.values()];
}

/** How long nothing is asked after a failure. A permission to trade comes by a person's hand. */
export function idleAfterFailure(status: SessionStatus | null): number {
  return status === 'read_only' ? READ_ONLY_IDLE_MS : IDLE_MS;
}

/** One that yielded to another program goes on asking without taking the session back; a new one would take it. */
export function keepsSession(status: SessionStatus | null): boolean {
  return status === 'connected' || status === 'competing';
}

export function isKeepAliveDue(keptAliveAt: number, realNow: Instant): boolean {
  return realNow - keptAliveAt >= KEEP_ALIVE_MS;
}

const KEEP_ALIVE_MS = 55 * SECOND_MS;
/** Also without orders of ours: the person may trade by hand, and permission may end. */
const LOOK_ANYWAY_MS = 30 * SECOND_MS;
/** As seldom as the broker lets its lists be asked for. */
const LOOK_AT_NEWS_MS = 5 * SECOND_MS;
export const IDLE_MS = 5 * SECOND_MS;
const READ_ONLY_IDLE_MS = 30 * SECOND_MS;
