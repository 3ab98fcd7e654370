import type { BrokerLimits, BrokerSession } from '#ports/broker.ts';
import type { TradingConnection } from '#records/brokerage/trading-connections.ts';
import type { SessionHealth } from './session-health.ts';

/** One connection at work: its session, and what is known of it. */
export type ActiveConnection = {
  readonly connection: TradingConnection;
  readonly session: BrokerSession;
  readonly health: SessionHealth;
  readonly limits: BrokerLimits;
};
