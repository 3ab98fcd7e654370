import type { ConnectionRecord } from '#records/brokerage/broker-connections.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import type { Micro } from '#units/money.ts';
import { askBroker } from '../../brokerage/broker-session.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

/** The account's cash as the broker reports it now. A missing answer does not mean zero: it is a refusal. */
export async function askCash(
  connection: ConnectionRecord,
  dependencies: Dependencies,
): Promise<Micro | Refused> {
  const accountId = connection.accountId as BrokerAccountId;
  const answer = await askBroker(connection, (session) => session.cash(accountId), dependencies);
  if (answer.outcome === 'ok') return answer.value.cash;
  if (answer.code === 'unauthorized') {
    // One refusal may be a reset or an error: only the trader, which sees whether it lasts, ends a connection.
    const message =
      'Your broker is currently rejecting our access. Try again in a minute; if that does not help, connect the account again.';
    return refuse('connection_inactive', message, { field: 'broker_connection' });
  }
  const message = 'Your broker is not reporting your available cash right now. Please try again in a moment.';
  return refuse('broker_unavailable', message, { retryAfterSeconds: 10 });
}
