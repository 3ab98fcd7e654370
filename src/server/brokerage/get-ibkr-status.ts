import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { listConnections } from '#records/brokerage/broker-connections.ts';
import type { Call } from '../http/call.ts';
import { showConnection } from '../answers/show-connection.ts';
import { settleSignIn } from './sign-in/settle-sign-in.ts';

export const getIbkrStatus: Call<typeof brokerageEndpoints.getIbkrStatus> = async (
  { query, caller },
  dependencies,
) => {
  const { records, now } = dependencies;
  const findNewest = async () => {
    const all = await listConnections(records.database, caller.userId);
    const asked = query.broker ?? 'interactive-brokers';
    return all.find(({ brokerId, brokerSlug }) => brokerId === asked || brokerSlug === asked);
  };
  let newest = await findNewest();
  const isGranted = newest?.status === 'pending' && newest.sealedCredentials !== null;
  if (newest && isGranted && newest.expiresAt.getTime() > now()) {
    await settleSignIn(newest, PATIENCE_MS, dependencies);
    newest = await findNewest();
  }
  if (!newest) return { connection_status: 'none', broker_connection_id: null, failure_reason: null };
  const { connection_status, broker_connection_id, failure_reason } = showConnection(newest, now());
  return { connection_status, broker_connection_id, failure_reason };
};

/** Less than the pause between two polls. */
const PATIENCE_MS = 1_000;
