import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { listConnections } from '#records/brokerage/broker-connections.ts';
import type { Call } from '../http/call.ts';
import { showConnection } from '../answers/show-connection.ts';

export const getIbkrStatus: Call<typeof brokerageEndpoints.getIbkrStatus> = async (
  { caller },
  { records, now },
) => {
  const all = await listConnections(records.database, caller.userId);
  const newest = all.find(({ brokerSlug }) => brokerSlug === 'interactive-brokers');
  if (!newest) return { connection_status: 'none', broker_connection_id: null, failure_reason: null };
  const { connection_status, broker_connection_id, failure_reason } = showConnection(newest, now());
  return { connection_status, broker_connection_id, failure_reason };
};
