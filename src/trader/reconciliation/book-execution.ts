// One execution becomes a fact, once: fill, order, ledger, position, valuation and notice in one transaction.
import { fillDoubt } from '#engine/execution/attribute-fills.ts';
import type { ExecutionHold } from '#engine/execution/execution-hold.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Fill } from '#engine/order/order.ts';
import type { OrderStatus } from '#engine/order/order-status.ts';
import { type AppliedFill, applyFill } from '#engine/portfolio/apply-fill.ts';
import { dollarsPerQuote } from '#engine/portfolio/quote-rate.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import type { NewNotification } from '#records/notifications/notifications-outbox.ts';
import { insertFill } from '#records/execution/fills.ts';
import { type LedgerPosting, postTransaction } from '#records/portfolio/ledger.ts';
import { changeOrder, lockOrder, type OrderChange, type OrderRecord } from '#records/execution/orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { TradingDeployment } from '#records/deployments/trading-deployments.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { add, type Micro, notional, scale } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { bookPositionEvent } from '../end-of-day/book-position-event.ts';
import { saveTransitions } from '../rebalance/state-transition.ts';
import { endLockedOrder } from './end-order.ts';
import { fillNotice } from '../rebalance/notices.ts';
import { applyEvent } from '../rebalance/apply-event.ts';
import { judgeBooked } from './revised-executions.ts';
import { listMissedDividends, splitRatioSince } from '../end-of-day/missed-actions.ts';
import { loadSnapshots, type DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import type { TradingContext } from '../trading-context.ts';

export type BookingResult = 'booked' | 'repeated' | 'superseded' | { readonly hold: ExecutionHold };

/** Nothing was written when it is held, repeated, or superseded by a later revision. */
export async function bookExecution(
  context: TradingContext,
  accountId: BrokerAccountId,
  execution: BrokerExecution,
  order: OrderRecord,
): Promise<BookingResult> {
  const { deploymentId } = order.decided;
  return context.database.transaction().execute(async (trx): Promise<BookingResult> => {
    const [snapshot] = await loadSnapshots(trx, [deploymentId], context, { lock: 'for update' });
    if (snapshot === undefined) throw new Error(`no deployment ${deploymentId}`);
    const locked = await lockOrder(trx, order.id);
    const revision = await judgeBooked(trx, accountId, execution);
    if (revision.type !== 'book') return revision.type === 'drop' ? 'superseded' : revision;
    const instrument = context.instruments.get(locked.decided.symbol);
    if (instrument === undefined)
      return { hold: { code: 'instrument_unknown', symbol: locked.decided.symbol } };
    const doubt = fillDoubt(execution, locked);
    if (doubt !== null) return { hold: doubt };

    const when = { record: snapshot.record, instrument, at: execution.at };
    const splitRatio = await splitRatioSince(trx, when, context);
    const reported = { execution, order: locked, instrument, accountId, splitRatio };
    const booking = bookingOf(snapshot, reported);
    const { fill, applied } = booking;
    const booked = await insertFill(trx, {
      executionId: execution.executionId,
      accountId,
      orderId: locked.id,
      deploymentId,
      ...fill,
      realized: applied.realizedPnl,
    });
    if (booked === 'repeated') return 'repeated';
    await postTransaction(trx, postingOf(booking));
    await changeOrder(trx, locked.id, progressOf(booking));
    const change = applyEvent(snapshot, { type: 'fill', at: context.now, fill }, context);
    const notice = noticeOf(booking, context);
    const after = locked.decided.purpose === 'protective' ? stopOut(change.after, fill) : change.after;
    await saveTransitions(trx, [{ ...change, after, notifications: [...change.notifications, notice] }]);
    context.report.ordersWritten += change.orders.length;
    for (const { sessionDate, perUnit, entitled } of await listMissedDividends(trx, when, fill, context)) {
      const event = { type: 'dividend', symbol: fill.symbol, perUnit, markAfter: UNCHANGED } as const;
      const late = `${accountId}:${execution.executionId}`;
      await bookPositionEvent(trx, context, { deploymentId, event, entitled, sessionDate, execution: late });
    }
    if (locked.decided.purpose === 'protective') await withdrawOvertaken(trx, context, locked);
    return 'booked';
  });
}

/** The price of now has long been without it. */
const UNCHANGED = 0;

/** As after a stop loss: the strategy does not buy it back before it has let it go, or turned it round. */
function stopOut(record: TradingDeployment, { symbol, side }: Fill): TradingDeployment {
  const stoppedOut = new Map(record.stoppedOut).set(symbol, side === 'sell' ? 'long' : 'short');
  return { ...record, stoppedOut };
}

/** What was decided on the position before its stop filled is not sent any more: part of it is gone. */
async function withdrawOvertaken(
  trx: Transaction,
  context: TradingContext,
  { decided, id }: OrderRecord,
): Promise<void> {
  const load = async () => {
    const [snapshot] = await loadSnapshots(trx, [decided.deploymentId], context, { lock: 'for update' });
    const order = snapshot?.openOrders.find(
      (open) => open.id !== id && open.status === 'intended' && open.decided.symbol === decided.symbol,
    );
    return snapshot !== undefined && order !== undefined ? { snapshot, order } : null;
  };
  const reason = { code: 'stop_filled_first' } as const;
  for (let found = await load(); found !== null; found = await load())
    await endLockedOrder(trx, context, { ...found, reason });
}

type Execution = {
  readonly execution: BrokerExecution;
  readonly order: OrderRecord;
  readonly instrument: Instrument;
  readonly accountId: BrokerAccountId;
  readonly splitRatio: number;
};

type Booking = Execution & {
  readonly snapshot: DeploymentSnapshot;
  readonly fill: Fill;
  readonly applied: AppliedFill;
  /** The key of the ledger transaction and of the notice. */
  readonly cause: string;
};

function bookingOf(snapshot: DeploymentSnapshot, reported: Execution): Booking {
  const { execution, order, instrument, accountId, splitRatio } = reported;
  const { clientOrderId, symbol, side } = order.decided;
  const { quantity: filled, price, commission, at } = execution;
  const fill: Fill = { clientOrderId, symbol, side, quantity: filled, price, commission, at, splitRatio };
  const { portfolio, marks } = snapshot.state;
  const applied = applyFill(portfolio, fill, instrument, marks);
  return { ...reported, snapshot, fill, applied, cause: `fill:${accountId}:${execution.executionId}` };
}

function postingOf({ fill, order, applied, cause }: Booking): LedgerPosting {
  const { booking } = applied;
  return {
    deploymentId: order.decided.deploymentId,
    kind: 'fill',
    cause,
    at: fill.at,
    entries: [
      { account: 'cash', amount: booking.cash },
      { account: 'holdings', amount: booking.holdings },
      { account: 'realized', amount: booking.realized },
      { account: 'commission', amount: booking.commission },
    ],
  };
}

function progressOf({ snapshot, execution, order, instrument, fill, applied }: Booking): OrderChange {
  const filled = quantity(order.filled + fill.quantity);
  const isWhole = filled === order.decided.quantity;
  const worth = notional(fill.quantity, fill.price, instrument.multiplier);
  const rate = dollarsPerQuote(instrument, fill.price, snapshot.state.marks);
  return {
    status: isWhole ? 'filled' : statusAfterPart(order.status),
    reason: isWhole ? null : order.reason,
    brokerOrderId: execution.brokerOrderId,
    filled,
    filledValue: add(order.filledValue, rate === 1 ? worth : scale(worth, rate)),
    realized: add(order.realized, applied.realizedPnl),
    ...(isWhole && { endedAt: fill.at }),
  };
}

/** An execution proves that the broker has the order; one that is over stays over. */
function statusAfterPart(status: OrderStatus): OrderStatus {
  const provesWorking: readonly OrderStatus[] = ['intended', 'sending', 'unknown', 'withdrawn'];
  return provesWorking.includes(status) ? 'working' : status;
}

function noticeOf(booking: Booking, context: TradingContext): NewNotification {
  const { snapshot, fill, order, instrument, applied, cause } = booking;
  const held = snapshot.record.holdings.get(fill.symbol)?.quantity ?? 0;
  const closes = held !== 0 && Math.sign(held) !== (fill.side === 'buy' ? 1 : -1);
  const profit: Micro | null = closes ? applied.realizedPnl : null;
  const { quantity: filled, price, commission, at } = fill;
  const noticed = {
    order,
    quantity: filled,
    price,
    currency: instrument.currency,
    commission,
    profit,
    cause,
    at,
  };
  return fillNotice(snapshot.record, noticed, context);
}
