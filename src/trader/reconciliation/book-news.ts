// Books what the stream reports of our own orders. The vendor's lists may be read only every few seconds, and an order
// behind a fill would wait for them. Nothing is concluded from what the stream leaves out.
import { isCertainFill, isSuperseded } from '#engine/execution/reconciliation/attribute-fills.ts';
import { executionHold } from '#rules/reasons/execution-hold.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { noteExecution, receiveExecutions } from '#records/execution/broker-inbox.ts';
import { knownExecutions } from '#records/execution/fills.ts';
import { findOrder } from '#records/execution/orders.ts';
import type { ExecutionId } from '#units/identifiers.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { bookExecution } from './book-execution.ts';
import { readPositions } from './reconcile-positions.ts';

/** Returns the ids of those that are in the books now; all others wait for the lists. */
export async function bookNews(
  context: TradingContext,
  active: ActiveConnection,
  executions: readonly BrokerExecution[],
): Promise<ReadonlySet<ExecutionId>> {
  const ids = executions.map(({ executionId }) => executionId);
  const inBooks = await knownExecutions(context.database, active.connection.accountId, ids);
  const fresh = executions.filter((one) => !inBooks.has(one.executionId) && !isSuperseded(one, ids));
  const { fillsBooked } = context.report;
  for (const execution of fresh.toSorted((one, other) => one.at - other.at)) {
    try {
      if (await bookOne(context, active, execution)) inBooks.add(execution.executionId);
    } catch (error) {
      noteProblem(context, `execution ${execution.executionId}`, error, null);
    }
  }
  // What may be closed now is decided by the positions after the fill.
  if (context.report.fillsBooked > fillsBooked) await readPositions(context, active);
  return inBooks;
}

async function bookOne(
  context: TradingContext,
  { connection: { id: connection, accountId: account } }: ActiveConnection,
  execution: BrokerExecution,
): Promise<boolean> {
  const { database, report } = context;
  const { clientOrderId, brokerOrderId, executionId } = execution;
  const order = await findOrder(database, { connection, clientOrderId, brokerOrderId });
  if (order === undefined || !isCertainFill(execution, order)) return false;
  const inbox = { connection, account };
  await receiveExecutions(database, inbox, [execution]);
  const result = await bookExecution(await context.atPresent(), account, execution, order);
  const hold = typeof result === 'string' ? null : result.hold;
  await noteExecution(database, inbox, { id: executionId, hold });
  if (result === 'booked') report.fillsBooked += 1;
  if (hold !== null)
    noteProblem(context, `execution ${executionId}`, new Error(`held: ${executionHold(hold)}`), null);
  return hold === null;
}
