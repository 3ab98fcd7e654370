import type { BrokerLimits, BrokerSession } from '#ports/broker.ts';
import type { TradingConnection } from '#records/brokerage/trading-connections.ts';
import type { SessionGuard } from './session-health.ts';

/** One connection at work: its session, and what is known of it. */
export type Desk = {
  readonly connection: TradingConnection;
  readonly session: BrokerSession;
  readonly guard: SessionGuard;
  readonly limits: BrokerLimits;
};
