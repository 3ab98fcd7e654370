import type { WrittenBreaks } from '#engine/execution/reconciliation/break-updates.ts';
import type { Tries } from '#engine/execution/back-off.ts';
import { NEW_SESSION, type SessionHealth } from '#engine/execution/connection/session-health.ts';
import type { ConnectionIncident } from '#engine/incidents/connection-incident.ts';
import type { BrokerSessionState } from '#engine/execution/connection/session-state.ts';
import type { Broker, BrokerSession } from '#ports/broker.ts';
import type { KnownCash } from '../cash/known-cash.ts';
import type { TradingConnection } from '#records/brokerage/trading-connections.ts';
import { NO_UNREAD, type UnreadMemory } from './unread-memory.ts';
import type { OrderId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { WallInstant } from '#units/wall-instant.ts';

/** One connection at work: its session, and what is known about it. */
export type ActiveConnection = {
  readonly connection: TradingConnection;
  readonly session: BrokerSession;
  readonly known: KnownConnection;
  /** Of the connection's vendor. */
  readonly broker: Broker;
};

/** What a trader remembers of a connection from one look to the next. */
export type KnownConnection = {
  health: SessionHealth;
  /** The recorded state, since when, and its incident; null before the first. */
  saved: {
    readonly state: BrokerSessionState;
    readonly since: WallInstant;
    readonly until: WallInstant | null;
    readonly incident: ConnectionIncident | null;
  } | null;
  /** The market's time at which the list of executions was last read; null before the first. */
  executionsReadAt: Instant | null;
  /** Whether executions could not be booked at the last look; null before the first. */
  hasHeldExecutions: boolean | null;
  /** The breaks recorded for the account; null until read. */
  breaks: WrittenBreaks | null;
  unread: UnreadMemory;
  /** Whether the broker owed a commission for more than a day at the last look; null before the first. */
  hasMissingCommission: boolean | null;
  /** What the broker said at the last look that the account may not do; null before the first. */
  restrictions: string | null;
  /** Whether the opening of the account is recorded. */
  isOpened: boolean;
  /** Whether orders or positions were a task for staff at the last look; null before the first. */
  hasOrderIncidents: boolean | null;
  /** Null until read. */
  cash: KnownCash | null;
  /** Whether what the account holds beside our books was read from the records. */
  isBesideRead: boolean;
  /** Requests for single orders that no list shows. */
  readonly askedAlone: Map<OrderId, Tries>;
};

export function newConnection(): KnownConnection {
  return {
    health: NEW_SESSION,
    saved: null,
    executionsReadAt: null,
    hasHeldExecutions: null,
    breaks: null,
    unread: NO_UNREAD,
    hasMissingCommission: null,
    restrictions: null,
    isOpened: false,
    hasOrderIncidents: null,
    cash: null,
    isBesideRead: false,
    askedAlone: new Map(),
  };
}
