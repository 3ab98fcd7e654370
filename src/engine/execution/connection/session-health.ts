// The health of the session of one broker connection, and its consequences: after each gap everything is read and
// booked before anything is sent, and permission is considered gone only when refusals persist.
import type { Symbol } from '#units/identifiers.ts';
import { MINUTE_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { SeenPositions } from '../reconciliation/reconcile-positions.ts';
import type { UnsureInstruments } from '../reconciliation/unread-rows.ts';
import type { BrokerFailureCode } from './broker-failure.ts';
import type { BrokerSessionState } from './session-state.ts';

/** A broker session's own status; see the broker's port. */
export type SessionStatus =
  | 'connected'
  | 'read_only'
  | 'competing'
  | 'degraded'
  | 'lost'
  | 'signed_out'
  | 'closed';

export type SessionHealth = {
  /**
   * The broker's clock: since when every look has been complete; null since the last gap. Nothing is sent while null.
   */
  readonly reconciledSince: WallInstant | null;
  /** When everything was last read and booked. A gap does not reset it. */
  readonly reconciledAt: WallInstant | null;
  /** The account's positions outside our books, as seen. */
  readonly seen: SeenPositions;
  /** The account's positions as last read. */
  readonly held: ReadonlyMap<Symbol, number> | null;
  /** Null where they must be read again. */
  readonly heldAt: WallInstant | null;
  /** Whether they were compared with the books after the last booking. */
  readonly isCompared: boolean;
  /** Instruments about which a row of the broker's lists could not be read at the last look. */
  readonly unsure: UnsureInstruments;
  /** Whether its stops would have sold more than the position at the last look. */
  readonly hasOversizedStops: boolean;
  /** Since when permission has been refused, and how often. */
  readonly refusedSince: WallInstant | null;
  readonly refusals: number;
};

export const NEW_SESSION: SessionHealth = {
  reconciledSince: null,
  reconciledAt: null,
  seen: { beside: new Map(), difference: new Map(), unexplained: new Map(), external: new Map() },
  held: null,
  heldAt: null,
  isCompared: false,
  unsure: new Map(),
  hasOversizedStops: false,
  refusedSince: null,
  refusals: 0,
};

/** Orders, executions and positions were all read and booked. */
export function afterReconciliation(
  health: SessionHealth,
  { brokerNow, realNow }: { readonly brokerNow: WallInstant; readonly realNow: WallInstant },
): SessionHealth {
  const reconciledSince = health.reconciledSince ?? brokerNow;
  return { ...health, reconciledSince, reconciledAt: realNow, refusedSince: null, refusals: 0 };
}

/** Nothing is sent until everything has been read again. */
export function afterGap(health: SessionHealth): SessionHealth {
  return { ...health, reconciledSince: null, held: null };
}

/** One refusal may be a brief problem at the broker. Several over a while end the connection. */
export function afterRefusal(
  health: SessionHealth,
  realNow: WallInstant,
): { readonly health: SessionHealth; readonly isRevoked: boolean } {
  const refusedSince = health.refusedSince ?? realNow;
  const refusals = health.refusals + 1;
  const lasts = msBetween(refusedSince, realNow) >= REFUSED_FOR_MS;
  return { health: { ...health, refusedSince, refusals }, isRevoked: lasts && refusals >= REFUSALS_MIN };
}

const REFUSALS_MIN = 3;
const REFUSED_FOR_MS = 10 * MINUTE_MS;

/** What its owner sees of a session that responded. */
export function stateOfSession(status: SessionStatus): BrokerSessionState {
  if (status === 'signed_out') return 'sign_in_due';
  return status === 'closed' ? 'degraded' : status;
}

/** What its owner sees of a session that did not respond; `status` is the session's own, null when there is none. */
export function stateOfFailure(code: BrokerFailureCode, status: SessionStatus | null): BrokerSessionState {
  if (code === 'unauthorized') return 'sign_in_due';
  if (code === 'unreachable') return 'lost';
  // Our own pacing, or a pause that the broker asked for: it passes, and nothing is wrong.
  if (code === 'rate_limited') return 'paced';
  // A session that has not been started yet calls itself read_only too, but is refused nothing.
  if (code === 'refused' && status === 'read_only') return 'read_only';
  return code === 'no_session' && status === 'competing' ? 'competing' : 'degraded';
}
