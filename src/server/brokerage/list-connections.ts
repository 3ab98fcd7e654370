import type { brokerageEndpoints } from '#contract/brokerage.ts';
import { listConnections as list } from '#records/brokerage/broker-connections.ts';
import type { Call } from '../http/call.ts';
import { showConnection } from '../answers/show-connection.ts';

export const listConnections: Call<typeof brokerageEndpoints.listBrokerConnections> = async (
  { caller },
  { records, now },
) => (await list(records.database, caller.userId)).map((connection) => showConnection(connection, now()));
