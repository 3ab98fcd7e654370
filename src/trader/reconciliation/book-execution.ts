// Books one execution, once: fill, order, ledger, position, valuation and notice in one transaction.
import { fillDoubt } from '#engine/execution/reconciliation/attribute-fills.ts';
import { bookFill, overtakenIntent } from '#engine/execution/reconciliation/book-fill.ts';
import type { ExecutionHold } from '#engine/execution/reconciliation/execution-hold.ts';
import { isProtective } from '#engine/execution/orders/open-order.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { fillPlace } from '#ports/tracing.ts';
import { insertFill, knownExecutions } from '#records/execution/fills.ts';
import { lockOrder } from '#records/execution/orders.ts';
import { bookRoundTrips } from '#records/portfolio/round-trips.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { bookMissedPayments } from '../end-of-day/book-position-event.ts';
import { listMissedPayments, splitRatioSince } from '../end-of-day/missed-actions.ts';
import { noteStage, wallTimeOf } from '../chain.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import type { TradingContext } from '../trading-context.ts';
import { bookExpectedCoinFee } from './book-coin-fees.ts';
import { endLockedOrder } from './end-order.ts';
import { judgeBooked } from './revised-executions.ts';

export type BookingResult = 'booked' | 'repeated' | 'superseded' | { readonly hold: ExecutionHold };

/** Nothing is written when it is held, repeated, or superseded by a later revision. */
export async function bookExecution(
  context: TradingContext,
  accountId: BrokerAccountId,
  execution: BrokerExecution,
  order: OrderRecord,
): Promise<BookingResult> {
  const result = await book(context, accountId, execution, order);
  if (result === 'booked') {
    const { executionId, at } = execution;
    noteStage(context, fillPlace(order, { accountId, executionId }), wallTimeOf(context, at));
  }
  return result;
}

async function book(
  context: TradingContext,
  accountId: BrokerAccountId,
  execution: BrokerExecution,
  { id, decided: { deploymentId, symbol } }: OrderRecord,
): Promise<BookingResult> {
  return context.database.transaction().execute(async (trx): Promise<BookingResult> => {
    const snapshot = await loadSnapshot(trx, deploymentId, context);
    const order = await lockOrder(trx, id);
    const { executionId } = execution;
    // Before all doubts: what has filled the order must not look like more than was ordered.
    if ((await knownExecutions(trx, accountId, [executionId])).has(executionId)) return 'repeated';
    const revision = await judgeBooked(trx, accountId, execution);
    if (revision.type !== 'book') return revision.type === 'drop' ? 'superseded' : revision;
    const instrument = context.instruments.get(symbol);
    if (instrument === undefined) return { hold: { code: 'instrument_unknown', symbol } };
    const doubt = fillDoubt(execution, order);
    if (doubt !== null) return { hold: doubt };

    const when = { record: snapshot.record, instrument, at: execution.at };
    const splitRatio = await splitRatioSince(trx, when, context);
    const facts = { execution, accountId, order, instrument, splitRatio };
    const { fill, isProvisional, realized, transition } = bookFill(snapshot, facts, context);
    const booked = { executionId, accountId, orderId: id, deploymentId, ...fill, isProvisional, realized };
    if ((await insertFill(trx, booked)) === 'repeated') return 'repeated';
    await saveTransitions(trx, context, [transition]);
    await bookRoundTrips(trx, { deploymentId, symbol, from: 'newest' }, context.instruments);
    const units = fill.side === 'buy' ? fill.quantity : -fill.quantity;
    await bookExpectedCoinFee(trx, context, deploymentId, { accountId, execution });
    const missed = await listMissedPayments(trx, when, [{ at: execution.at, units }], context);
    await bookMissedPayments(trx, context, deploymentId, {
      symbol,
      missed,
      execution: `${accountId}:${executionId}`,
    });
    if (isProtective(order)) await withdrawOvertaken(trx, context, order);
    return 'booked';
  });
}

/** Decisions made on the position before its stop filled are not sent any more: part of it is gone. */
async function withdrawOvertaken(
  trx: Transaction,
  context: TradingContext,
  stop: OrderRecord,
): Promise<void> {
  const reason = { code: 'stop_filled_first' } as const;
  for (;;) {
    const snapshot = await loadSnapshot(trx, stop.decided.deploymentId, context);
    const order = overtakenIntent(stop, snapshot.openOrders);
    if (order === undefined) return;
    await endLockedOrder(trx, context, { snapshot, order, reason });
  }
}
