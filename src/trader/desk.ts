import type { BrokerLimits, BrokerSession } from '#ports/broker.ts';
import type { TradingConnection } from '#records/trading-connections.ts';
import type { SessionGuard } from './session-guard.ts';

/** One connection at work: its session, and what is known of it. */
export type Desk = {
  readonly connection: TradingConnection;
  readonly session: BrokerSession;
  readonly guard: SessionGuard;
  readonly limits: BrokerLimits;
};
