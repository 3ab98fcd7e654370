import { belongsElsewhere } from '#engine/execution/reconciliation/attribute-fills.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { listOrdersOfOthers } from '#records/execution/account-orders.ts';
import type { ClientOrderId } from '#units/identifiers.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { TradingContext } from '../trading-context.ts';

/** Leaves out executions that are, or may turn out to be, of another connection's order: that connection books them. */
export async function attributeFills(
  { database }: TradingContext,
  { connection: { id: connection, accountId: account } }: ActiveConnection,
  executions: readonly BrokerExecution[],
  nameOf: (execution: BrokerExecution) => ClientOrderId | null,
): Promise<readonly BrokerExecution[]> {
  if (executions.length === 0) return executions;
  const others = await listOrdersOfOthers(
    database,
    { account, connection },
    {
      client: executions.flatMap((one) => nameOf(one) ?? []),
      broker: executions.map(({ brokerOrderId }) => brokerOrderId),
    },
  );
  return executions.filter((one) => !belongsElsewhere(one, nameOf(one), others));
}
