// Books what the stream reports of our own orders. The vendor's lists may be read only every few seconds, and an order
// behind a fill would wait for them. Nothing is concluded from what the stream leaves out.
import { isCertainFill, isSuperseded } from '#engine/execution/reconciliation/attribute-fills.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { noteExecution, receiveExecutions } from '#records/execution/broker-inbox.ts';
import { knownExecutions } from '#records/execution/fills.ts';
import { findOrder } from '#records/execution/orders.ts';
import type { ExecutionId } from '#units/identifiers.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { bookExecution, type BookingResult } from './book-execution.ts';
import { readHeld } from './reconcile-positions.ts';
import { judgeBooked } from './revised-executions.ts';

/** Returns the ids of those that are in the books now; all others wait for the lists. */
export async function bookNews(
  context: TradingContext,
  active: ActiveConnection,
  executions: readonly BrokerExecution[],
): Promise<ReadonlySet<ExecutionId>> {
  const ids = executions.map(({ executionId }) => executionId);
  const inBooks = await knownExecutions(context.database, active.connection.accountId, ids);
  const fresh = executions.filter((one) => !inBooks.has(one.executionId) && !isSuperseded(one, ids));
  let isBooked = false;
  for (const execution of fresh.toSorted((one, other) => one.at - other.at)) {
    try {
      const result = await bookOne(context, active, execution);
      isBooked ||= result === 'booked';
      if (result !== 'waits') inBooks.add(execution.executionId);
    } catch (error) {
      noteProblem(context, `execution ${execution.executionId}`, error, null);
    }
  }
  if (!isBooked) return inBooks;
  // The next look compares them, also when they cannot be read now.
  active.known.health = { ...active.known.health, isCompared: false };
  await readHeld(context, active);
  return inBooks;
}

async function bookOne(
  context: TradingContext,
  { connection: { id: connection, accountId: account } }: ActiveConnection,
  execution: BrokerExecution,
): Promise<BookingResult | 'waits'> {
  const { database } = context;
  const { clientOrderId, brokerOrderId, executionId } = execution;
  const order = await findOrder(database, { connection, clientOrderId, brokerOrderId });
  if (order === undefined || !isCertainFill(execution, order)) return 'waits';
  if ((await judgeBooked(database, account, execution)).type !== 'book') return 'waits';
  const inbox = { connection, account };
  await receiveExecutions(database, inbox, [execution]);
  const result = await bookExecution(await context.atPresent(), account, execution, order);
  // What is held now is in the inbox: the next look decides on it again, and says why it waits.
  if (typeof result !== 'string') return 'waits';
  await noteExecution(database, inbox, { id: executionId, hold: null });
  if (result === 'booked') context.report.fillsBooked += 1;
  return result;
}
