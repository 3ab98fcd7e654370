// An adjustment that may be booked becomes a fact: position event, suspense account, the order that it undid, and what
// was decided on the position as it was before.
import { adjustOrder } from '#engine/adjustments/adjust-order.ts';
import { type Adjustment, netUnits } from '#engine/market/adjustment.ts';
import { applyAdjustment } from '#engine/portfolio/apply-adjustment.ts';
import { type AppliedProposal, markApplied, type Proposal } from '#records/adjustments/adjustments.ts';
import { changeOrder, lockOrder } from '#records/execution/orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { adjustmentText } from '#rules/operations/adjustment-text.ts';
import type { Symbol } from '#units/identifiers.ts';
import { bookPositionEvent } from '../end-of-day/book-position-event.ts';
import { applyEvent } from '../rebalance/apply-event.ts';
import type { DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import { saveTransitions } from '../rebalance/state-transition.ts';
import { tradingDate } from '../rebalance/trading-date.ts';
import { endLockedOrder } from '../reconciliation/end-order.ts';
import { releaseFromSuspense, suspendShortfall } from '../reconciliation/suspense-account.ts';
import type { TradingContext } from '../trading-context.ts';
import { isOfExternalTrade, type LoadedAdjustment, loadOne } from './load-adjustment.ts';

export async function bookAdjustment(
  trx: Transaction,
  context: TradingContext,
  loaded: Omit<LoadedAdjustment, 'facts'> & {
    readonly snapshot: DeploymentSnapshot;
    readonly proposal: Proposal;
    readonly adjustment: Adjustment;
  },
): Promise<void> {
  const { snapshot, proposal, adjustment, instrument, undone } = loaded;
  if (instrument === undefined) throw new Error(`${proposal.symbol} is not in the catalogue`);
  const { id, because } = proposal;
  const { record, state } = snapshot;
  const at = context.now;
  const { booking, realizedPnl, bookedProfit } = applyAdjustment(state.portfolio, adjustment, {
    instrument,
    marks: state.marks,
    at,
  });
  const { symbol, undoes, books, shortfall } = adjustment;
  const { currency } = instrument;
  const { cash, commission } = booking;
  const facts = { symbol, currency, undoes, books, shortfall, cash, because };
  const explanation = adjustmentText({ ...facts, isOfExternalTrade: isOfExternalTrade(proposal) });
  const net = netUnits(adjustment);
  const applied = await bookPositionEvent(trx, context, {
    deploymentId: record.id,
    event: adjustment,
    entitled: net,
    sessionDate: tradingDate(instrument.calendar, at),
    execution: id,
    explanation,
  });
  if (applied === null) throw new Error('it was booked before');
  await suspendShortfall(trx, context, proposal, adjustment);
  if (isOfExternalTrade(proposal)) await releaseFromSuspense(trx, context, proposal);
  const order = undone === null ? null : await correctOrder(trx, context, undone, adjustment);
  await withdrawIntents(trx, context, snapshot, symbol);
  await markApplied(trx, proposal, {
    at,
    netUnits: net,
    cash,
    realized: realizedPnl,
    commission,
    bookedProfit,
    order,
    explanation: `${explanation}.`,
  });
}

async function correctOrder(
  trx: Transaction,
  { now: endedAt }: TradingContext,
  { booked, ratio }: NonNullable<LoadedAdjustment['undone']>,
  { books }: Adjustment,
): Promise<AppliedProposal['order']> {
  if (booked.orderId === null) return null;
  const { id, decided, filled: before, status } = await lockOrder(trx, booked.orderId);
  const { side, quantity } = decided;
  const { filled, filledChange, becomes } = adjustOrder(
    { side, quantity, filled: before, isFilled: status === 'filled' },
    { undone: booked.units, books: books?.units ?? null, ratio },
  );
  if (becomes === 'filled') await changeOrder(trx, id, { status: 'filled', reason: null, filled, endedAt });
  else if (becomes === 'cancelled')
    await changeOrder(trx, id, { status: 'cancelled', reason: { code: 'fill_corrected' }, filled });
  else if (filledChange !== 0) await changeOrder(trx, id, { status, filled });
  return { id, filledChange };
}

/** What was decided on the position as it was booked before, and has not left, is decided again. */
async function withdrawIntents(
  trx: Transaction,
  context: TradingContext,
  before: DeploymentSnapshot,
  symbol: Symbol,
): Promise<void> {
  const reason = { code: 'position_corrected' } as const;
  const waiting = before.openOrders.filter(
    ({ status, decided }) =>
      status === 'intended' && decided.symbol === symbol && decided.purpose !== 'protective',
  );
  for (const { id } of waiting) {
    const snapshot = await loadOne(trx, context, before.record.id);
    const order = snapshot.openOrders.find((one) => one.id === id);
    if (order !== undefined) await endLockedOrder(trx, context, { snapshot, order, reason });
  }
  if (waiting.length === 0) return;
  // An exit is decided at a mark: one that waited does not wait for the next price as well.
  const snapshot = await loadOne(trx, context, before.record.id);
  const change = applyEvent(snapshot, { type: 'mark', at: context.now, marks: context.marks }, context);
  await saveTransitions(trx, [change]);
  context.report.ordersWritten += change.orders.length;
}
