import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { findOwnConnection } from '#records/brokerage/broker-connections.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showConnection } from '../answers/show-connection.ts';

/** Queries the broker for the account: a stored 'active' proves nothing. */
export const testConnection: Call<typeof brokerageEndpoints.testBrokerConnection> = async (
  { params, caller },
  dependencies,
) => {
  const { records, brokerQuestions, now } = dependencies;
  const own = await findOwnConnection(records.database, { id: params.id, userId: caller.userId });
  if (!own) return notFound();
  const { connection_status } = showConnection(own, now());
  if (own.status !== 'active') {
    return {
      success: false,
      message: 'This connection is not active. Please connect again.',
      connection_status,
    };
  }
  const { id, userId } = own;
  const answer = await brokerQuestions.ask({
    kind: 'accounts',
    connection: { id, userId },
    patienceMs: PATIENCE_MS,
  });
  if (answer?.outcome === 'ok') {
    const isListed = answer.accounts.some(({ accountId }) => accountId === own.accountId);
    const message = isListed ? 'The connection works.' : 'The broker no longer shows this account.';
    return { success: isListed, message, connection_status };
  }
  if (answer?.code === 'unauthorized') {
    // One refusal may be a reset or an error: only the trader, which sees whether it lasts, ends a connection.
    const message =
      'The broker is currently rejecting our access. If this continues, connect the account again.';
    return { success: false, message, connection_status };
  }
  return { success: false, message: 'The broker is not responding. Please try again.', connection_status };
};

/** The list of accounts may be read only every few seconds. */
const PATIENCE_MS = 10_000;
