// Lends the prices of a broker session that this trader holds. No session is opened for it beside the one of the connection's
// own turns: a user name has one, and a second would end it.
import type { BrokerMarketData } from '#ports/broker.ts';
import type { SessionOpener } from '#ports/brokers.ts';
import { listTradingConnections } from '#records/brokerage/trading-connections.ts';
import type { DatabaseHandle } from '#records/postgres/database.ts';
import { BrokerUnavailable } from '../connections/broker-unavailable.ts';
import type { ConnectionPool } from '../connections/connection-pool.ts';
import type { ShardLease } from '../leases/shard-lease.ts';

/** Null while there is none: no account of a client who has market data, or its session cannot be opened. */
export async function lendPrices(
  opener: SessionOpener & { readonly handle: DatabaseHandle },
  { shards }: Pick<ShardLease, 'shards'>,
  connections: Pick<ConnectionPool, 'session'>,
): Promise<BrokerMarketData | null> {
  const listed = await listTradingConnections(opener.handle.database, 'all', shards);
  const lender = listed.find(({ vendor, withoutMarketData }) => vendor === VENDOR && !withoutMarketData);
  if (lender === undefined) return null;
  try {
    const session = await connections.session(opener, lender);
    return session.marketData ?? null;
  } catch (error) {
    if (error instanceof BrokerUnavailable) return null;
    throw error;
  }
}

const VENDOR = 'interactive-brokers';
