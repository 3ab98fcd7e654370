import type { BrokerLists } from '#records/brokerage/broker-requests.ts';
import type { Database } from '#records/postgres/database.ts';
import type { BrokerAccountId, BrokerConnectionId } from '#units/identifiers.ts';
import { verifiedSince } from '#records/execution/fills.ts';
import type { FindSession } from './read-cash.ts';

/** What the invariants compare with the records, read over the connection's one session. Fails where the broker does. */
export async function readLists(
  { database, findSession }: { readonly database: Database; readonly findSession: FindSession },
  connection: {
    readonly id: BrokerConnectionId;
    readonly vendor: string;
    readonly accountId: BrokerAccountId;
    readonly sealedCredentials: Buffer;
  },
): Promise<BrokerLists> {
  const { accountId } = connection;
  const session = await findSession(connection);
  const since = await verifiedSince(database, connection.id);
  return {
    orders: await session.orders(accountId),
    executions: await session.executions(accountId, since),
    positions: await session.positions(accountId),
    cash: await session.cash(accountId),
  };
}
