import { type ConnectionRecord, revokeConnection } from '#records/broker-connections.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import { askBroker } from '../brokerage/broker-session.ts';
import type { Dependencies } from '../dependencies.ts';
import { refuse, type Refused } from '../refusal.ts';

/** The cash in the account as the broker says it now. An answer that did not come is not zero: it is a refusal. */
export async function askCash(
  connection: ConnectionRecord,
  dependencies: Dependencies,
): Promise<Micro | Refused> {
  const accountId = connection.accountId as BrokerAccountId;
  const answer = await askBroker(connection, (session) => session.cash(accountId), dependencies);
  if (answer.outcome === 'ok') return answer.value.cash;
  if (answer.code === 'unauthorized') {
    const reason = 'The broker withdrew the permission. Please connect your broker account again.';
    await revokeConnection(dependencies.records.database, { id: connection.id, reason });
    return refuse('connection_inactive', reason, { field: 'broker_connection' });
  }
  const message = 'Your broker does not say now how much cash is available. Please try again in a moment.';
  return refuse('broker_unavailable', message, { retryAfterSeconds: 10 });
}
