import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { findOwnConnection, removeConnection as remove } from '#records/brokerage/broker-connections.ts';
import { countOpenDeploymentsOf } from '#records/deployments/deployments.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse } from '../http/refusal.ts';

export const removeConnection: Call<typeof brokerageEndpoints.removeBrokerConnection> = async (
  { params, caller },
  { records },
) => {
  const own = await findOwnConnection(records.database, { id: params.id, userId: caller.userId });
  if (!own) return notFound();
  if ((await countOpenDeploymentsOf(records.database, own.id)) > 0) {
    return refuse('in_use', 'A deployment still uses this connection. Stop the deployment first.');
  }
  await remove(records.database, own.id);
};
