import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { findOwnConnection } from '#records/brokerage/broker-connections.ts';
import type { Call } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';
import { showConnection } from '../answers/show-connection.ts';

export const getConnection: Call<typeof brokerageEndpoints.getBrokerConnection> = async (
  { params, caller },
  { records, now },
) => {
  const connection = await findOwnConnection(records.database, { id: params.id, userId: caller.userId });
  return connection ? showConnection(connection, now()) : notFound();
};
