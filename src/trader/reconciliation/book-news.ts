// Books what the stream reports of our own orders. The vendor's lists may be read only every few seconds, and an order
// behind a fill would wait for them. Nothing is concluded from what the stream leaves out.
import {
  isCertainFill,
  isSuperseded,
  judgeRevision,
} from '#engine/execution/reconciliation/attribute-fills.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { knownOf } from '#records/execution/fills.ts';
import { findOrders } from '#records/execution/orders.ts';
import type { ExecutionId, OrderId } from '#units/identifiers.ts';
import type { JoinedConnection } from '../connections/together.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { bookFills, type ReportedFill } from './book-fills.ts';
import { readHeld } from './reconcile-positions.ts';

/** Returns the ids of those that are in the books now; all others wait for the lists. */
export async function bookNews(
  context: TradingContext,
  active: JoinedConnection,
  executions: readonly BrokerExecution[],
): Promise<ReadonlySet<ExecutionId>> {
  const inBooks = new Set<ExecutionId>();
  const fresh = await listFresh(context, active, executions, inBooks);
  const fills = await listCertain(context, active, fresh);
  let isBooked = false;
  const results = await bookFills(context, active, { fills, isReceived: false });
  for (const [place, result] of results.entries()) {
    const { executionId } = fills[place]!.execution;
    // What is held now is in the inbox: the next look decides on it again, and says why it waits.
    if (typeof result === 'string') inBooks.add(executionId);
    else if ('error' in result) noteProblem(context, `execution ${executionId}`, result.error, null);
    if (result !== 'booked') continue;
    isBooked = true;
    context.report.fillsBooked += 1;
  }
  if (!isBooked) return inBooks;
  // The next look compares them, also when they cannot be read now.
  active.known.health = { ...active.known.health, isCompared: false };
  await readHeld(context, active);
  return inBooks;
}

/** Not in the books, and no correction of what is; those that are in the books are added to `inBooks`. */
async function listFresh(
  { database }: TradingContext,
  { connection: { accountId } }: JoinedConnection,
  executions: readonly BrokerExecution[],
  inBooks: Set<ExecutionId>,
): Promise<readonly BrokerExecution[]> {
  const ids = executions.map(({ executionId }) => executionId);
  const known = await knownOf(
    database,
    executions.map(({ executionId, revisionStem }) => ({ accountId, executionId, revisionStem })),
  );
  return executions.filter((execution, place) => {
    const { isKnown, revisions } = known[place]!;
    if (isKnown) inBooks.add(execution.executionId);
    return !isKnown && !isSuperseded(execution, ids) && judgeRevision(execution, revisions).type === 'book';
  });
}

/** In the order of execution. */
async function listCertain(
  { database }: TradingContext,
  { connection }: JoinedConnection,
  executions: readonly BrokerExecution[],
): Promise<readonly ReportedFill[]> {
  const find = await findOrders(database, connection.id, executions);
  const names = new Map<OrderId, string>();
  return executions
    .toSorted((one, other) => one.at - other.at)
    .flatMap((execution) => {
      const order = find(execution);
      if (order === undefined) return [];
      // An order has one name at the broker, which the first of its executions may be the first to tell.
      const brokerOrderId = order.brokerOrderId ?? names.get(order.id) ?? null;
      if (!isCertainFill(execution, { ...order, brokerOrderId })) return [];
      names.set(order.id, execution.brokerOrderId);
      return { execution, order };
    });
}
