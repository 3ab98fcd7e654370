import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { listConnections } from '#records/brokerage/broker-connections.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showConnection } from '../answers/show-connection.ts';

/** An active connection comes before newer inactive attempts. */
export const getMyConnection: Call<typeof brokerageEndpoints.getMyBrokerConnection> = async (
  { query, caller },
  { records, now },
) => {
  const name = query.broker ?? query.broker_name;
  const all = await listConnections(records.database, caller.userId);
  const ofBroker = name === undefined ? all : all.filter(({ brokerName }) => brokerName === name);
  const found = ofBroker.find(({ status }) => status === 'active') ?? ofBroker[0];
  return found ? showConnection(found, now()) : notFound();
};
