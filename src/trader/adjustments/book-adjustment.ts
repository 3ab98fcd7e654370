// Books an adjustment: position event, suspense account, the order that it undoes, and the decisions
// made on the previous position.
import { correctedIntents, updateAdjustedOrder } from '#engine/adjustments/adjust-position.ts';
import { adjustmentEntries } from '#engine/adjustments/suspense-entry.ts';
import { applyEvent } from '#engine/execution/deployment/apply-event.ts';
import type { DeploymentSnapshot } from '#engine/execution/deployment/deployment-snapshot.ts';
import type { LateTrade, MissedPayment } from '#engine/end-of-day/missed-actions.ts';
import { tradingDate } from '#engine/execution/deployment/equity-mark.ts';
import { type Adjustment, netUnits, withoutShortfall } from '#engine/market/adjustment.ts';
import { applyAdjustment } from '#engine/portfolio/apply-adjustment.ts';
import { type AppliedProposal, markApplied, type Proposal } from '#records/adjustments/adjustments.ts';
import { changeOrder, lockOrder } from '#records/execution/orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { adjustmentText } from '#rules/operations/adjustment-text.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { bookMissedPayments, bookPositionEvent } from '../end-of-day/book-position-event.ts';
import { listMissedPayments } from '../end-of-day/missed-actions.ts';
import { loadSnapshot } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import { endLockedOrder } from '../reconciliation/end-order.ts';
import { suspend } from '../reconciliation/suspense-account.ts';
import type { TradingContext } from '../trading-context.ts';
import type { LoadedAdjustment } from './load-adjustment.ts';

type ToBook = LoadedAdjustment & {
  readonly snapshot: DeploymentSnapshot;
  readonly proposal: Proposal;
  readonly adjustment: Adjustment;
};

export async function bookAdjustment(
  trx: Transaction,
  context: TradingContext,
  loaded: ToBook,
): Promise<void> {
  const { snapshot, proposal, adjustment, instrument, undone } = loaded;
  if (instrument === undefined) throw new Error(`${proposal.symbol} is not in the catalogue`);
  const { isOfExternalTrade } = loaded.facts;
  const { id, because } = proposal;
  const { record, state } = snapshot;
  const at = context.now;
  const { booking, realizedPnl, bookedProfit } = applyAdjustment(state.portfolio, adjustment, {
    instrument,
    marks: state.marks,
    at,
  });
  const { symbol, undoes, books, shortfall } = adjustment;
  const { cash, commission } = booking;
  const facts = { symbol, currency: instrument.currency, undoes, books, shortfall, cash, because };
  const explanation = adjustmentText({ ...facts, isOfExternalTrade });
  const net = netUnits(adjustment);
  const booked = await bookPositionEvent(trx, context, record.id, {
    event: adjustment,
    entitled: net,
    sessionDate: tradingDate(instrument.calendar, at, context.exceptions),
    execution: id,
    explanation,
  });
  if (booked === 'nothing') throw new Error('it was booked before');
  for (const entry of adjustmentEntries(proposal, adjustment, { isOfExternalTrade, at }))
    await suspend(trx, entry);
  await bookMissedPayments(trx, context, record.id, {
    symbol,
    missed: await paymentsOfChange(trx, context, loaded),
    execution: id,
  });
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

/** The broker pays dividends and swaps as if the trade had been what it is now. */
async function paymentsOfChange(
  trx: Transaction,
  context: TradingContext,
  { snapshot: { record }, adjustment, instrument, undone, facts, tradedAt }: ToBook,
): Promise<readonly MissedPayment[]> {
  if (instrument === undefined) return [];
  const { undoes, books } = withoutShortfall(adjustment);
  const trades: LateTrade[] = [];
  if (undone !== null && undoes !== null)
    trades.push({ at: instant(undone.booked.at.getTime()), units: -undoes.units / undone.ratio });
  if (tradedAt !== null && books !== null && facts.booked !== null)
    trades.push({ at: tradedAt, units: books.units / facts.booked.ratio });
  return listMissedPayments(trx, { record, instrument }, trades, context);
}

async function correctOrder(
  trx: Transaction,
  { now }: TradingContext,
  { booked, ratio }: NonNullable<LoadedAdjustment['undone']>,
  { books }: Adjustment,
): Promise<AppliedProposal['order']> {
  if (booked.orderId === null) return null;
  const undone = { units: booked.units, books: books?.units ?? null, ratio };
  const { id, filledChange, update } = updateAdjustedOrder(await lockOrder(trx, booked.orderId), undone, now);
  if (update !== null) await changeOrder(trx, id, update);
  return { id, filledChange };
}

/** Unsent decisions on the previously booked position are made again. */
async function withdrawIntents(
  trx: Transaction,
  context: TradingContext,
  { record, openOrders }: DeploymentSnapshot,
  symbol: Symbol,
): Promise<void> {
  const reason = { code: 'position_corrected' } as const;
  const waiting = correctedIntents(openOrders, symbol);
  for (const id of waiting) {
    const snapshot = await loadSnapshot(trx, record.id, context);
    const order = snapshot.openOrders.find((one) => one.id === id);
    if (order !== undefined) await endLockedOrder(trx, context, { snapshot, order, reason });
  }
  if (waiting.length === 0) return;
  // An exit is decided at a mark: one that waited does not also wait for the next price.
  const snapshot = await loadSnapshot(trx, record.id, context);
  const { now: at, marks } = context;
  await saveTransitions(trx, context, [applyEvent(snapshot, { type: 'mark', at, marks }, context)]);
}
