import type { Problem } from '#engine/incidents/problem-log.ts';
import type { TradingConnection } from '#records/brokerage/trading-connections.ts';
import { BrokerUnavailable } from '../connections/broker-unavailable.ts';

/** Null for a broker that does not answer: the state of its session says that. */
export function failingConnection(
  { id, accountId }: Pick<TradingConnection, 'id' | 'accountId'>,
  error: unknown,
): Problem | null {
  if (error instanceof BrokerUnavailable) return null;
  return { kind: 'connection_failing', subject: id, connectionId: id, accountId, task: 'reconciling' };
}
