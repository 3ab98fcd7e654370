// Writes decided fills, all in one transaction: together what the chains have in common, and then what is behind the last of each.
import { mergedTransition } from '#engine/execution/deployment/merged-transition.ts';
import { overtakenIntent } from '#engine/execution/reconciliation/book-fill.ts';
import { isProtective } from '#engine/execution/orders/open-order.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import { insertFills } from '#records/execution/fills.ts';
import { bookRoundTrips, type TouchedTrips } from '#records/portfolio/round-trips.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { bookMissedPayments } from '../end-of-day/book-position-event.ts';
import { listMissedPayments } from '../end-of-day/missed-actions.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import type { TradingContext } from '../trading-context.ts';
import { bookExpectedCoinFee } from './book-coin-fees.ts';
import type { DecidedFill, FillChain } from './decide-fills.ts';
import { endLockedOrder } from './end-order.ts';

export async function saveFills(
  trx: Transaction,
  context: TradingContext,
  chains: readonly FillChain[],
): Promise<void> {
  if (chains.length === 0) return;
  await insertFills(trx, chains.flat().map(fillRecord));
  const transitions = chains.map(([first, ...others]) =>
    mergedTransition([first.transition, ...others.map(({ transition }) => transition)]),
  );
  await saveTransitions(trx, context, transitions);
  await bookRoundTrips(trx, chains.flatMap(touchedTrips), context.instruments);
  for (const chain of chains) {
    const last = chain.at(-1)!;
    if (last.hasSequel) await bookSequel(trx, context, last);
  }
}

function fillRecord({ reported, order, fill, isProvisional, realized }: DecidedFill) {
  const { accountId, execution } = reported;
  const { deploymentId } = order.decided;
  const { executionId } = execution;
  return { executionId, accountId, orderId: order.id, deploymentId, ...fill, isProvisional, realized };
}

/** Each instrument of a chain once. */
function touchedTrips(chain: FillChain): readonly TouchedTrips[] {
  const { deploymentId } = chain[0].order.decided;
  const symbols = new Set(chain.map(({ order }) => order.decided.symbol));
  return [...symbols].map((symbol) => ({ deploymentId, symbol, from: 'newest' }));
}

async function bookSequel(
  trx: Transaction,
  context: TradingContext,
  { reported: { accountId, execution }, order, fill, snapshot }: DecidedFill,
): Promise<void> {
  const { deploymentId, symbol } = order.decided;
  const { executionId, at } = execution;
  await bookExpectedCoinFee(trx, context, deploymentId, { accountId, execution });
  const holding = { record: snapshot.record, instrument: context.instruments.get(symbol)! };
  const units = fill.side === 'buy' ? fill.quantity : -fill.quantity;
  const missed = await listMissedPayments(trx, holding, [{ at, units }], context);
  await bookMissedPayments(trx, context, deploymentId, {
    symbol,
    missed,
    execution: `${accountId}:${executionId}`,
  });
  if (isProtective(order)) await withdrawOvertaken(trx, context, order);
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
