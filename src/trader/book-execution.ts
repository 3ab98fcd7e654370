// One execution becomes a fact, once: fill, order, ledger, position, valuation and notice in one transaction.
import { applyFill } from '#engine/portfolio/apply-fill.ts';
import type { Fill } from '#engine/order/order.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { insertFill } from '#records/fills.ts';
import { postTransaction } from '#records/ledger.ts';
import { changeOrder, lockOrder, type OrderRecord, type OrderStatus } from '#records/orders.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { add, notional, scale } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { dollarsPerQuote } from '#engine/portfolio/quote-rate.ts';
import { writeChanges } from './change.ts';
import { fillNotice } from './notices.ts';
import { react } from './react.ts';
import { loadStandings } from './standing.ts';
import type { TradingContext } from './trading-context.ts';

export type BookingResult = 'booked' | 'repeated' | { readonly held: string };

/** 'held' says why it cannot be booked as it stands; nothing was written then. */
export async function bookExecution(
  context: TradingContext,
  accountId: BrokerAccountId,
  execution: BrokerExecution,
  order: OrderRecord,
): Promise<BookingResult> {
  const { deploymentId, clientOrderId } = order.decided;
  return context.database.transaction().execute(async (trx): Promise<BookingResult> => {
    const [standing] = await loadStandings(trx, [deploymentId], context, { lock: 'for update' });
    if (standing === undefined) throw new Error(`no deployment ${deploymentId}`);
    const locked = await lockOrder(trx, order.id);
    const { symbol, side } = locked.decided;
    const filled = quantity(locked.filled + execution.quantity);
    if (execution.symbol !== symbol || execution.side !== side)
      return {
        held: `it is a ${execution.side} of ${execution.symbol ?? execution.brokerInstrumentId}, the order a ${side} of ${symbol}`,
      };
    if (filled > locked.decided.quantity) return { held: 'it would fill more than was ordered' };
    const instrument = context.instruments.get(symbol);
    if (instrument === undefined) return { held: `${symbol} is not in the catalogue` };

    const { price, commission, at } = execution;
    const fill: Fill = { clientOrderId, symbol, side, quantity: execution.quantity, price, commission, at };
    const { state } = standing;
    const { booking, realizedPnl } = applyFill(state.portfolio, fill, instrument, state.marks);
    const key = { executionId: execution.executionId, accountId };
    const cause = `fill:${accountId}:${execution.executionId}`;
    const booked = await insertFill(trx, {
      ...key,
      orderId: locked.id,
      deploymentId,
      symbol,
      side,
      quantity: execution.quantity,
      price,
      commission,
      realized: realizedPnl,
      at,
    });
    if (booked === 'repeated') return 'repeated';
    await postTransaction(trx, {
      deploymentId,
      kind: 'fill',
      cause,
      at,
      entries: [
        { account: 'cash', amount: booking.cash },
        { account: 'holdings', amount: booking.holdings },
        { account: 'realized', amount: booking.realized },
        { account: 'commission', amount: booking.commission },
      ],
    });
    const worth = notional(execution.quantity, price, instrument.multiplier);
    const rate = dollarsPerQuote(instrument, price, state.marks);
    const isWhole = filled === locked.decided.quantity;
    await changeOrder(trx, locked.id, {
      status: isWhole ? 'filled' : statusAfterPart(locked.status),
      reason: isWhole ? null : locked.statusReason,
      brokerOrderId: execution.brokerOrderId,
      filled,
      filledValue: add(locked.filledValue, rate === 1 ? worth : scale(worth, rate)),
      realized: add(locked.realized, realizedPnl),
      ...(isWhole && { endedAt: at }),
    });
    const change = react(standing, { type: 'fill', at: context.now, fill }, context);
    const held = standing.record.holdings.get(symbol)?.quantity ?? 0;
    const closes = held !== 0 && Math.sign(held) !== (side === 'buy' ? 1 : -1);
    const notice = fillNotice(
      standing.record,
      {
        order: locked,
        quantity: execution.quantity,
        price,
        currency: instrument.currency,
        commission,
        profit: closes ? realizedPnl : null,
        cause,
        at,
      },
      context,
    );
    await writeChanges(trx, [{ ...change, notifications: [...change.notifications, notice] }]);
    context.report.ordersWritten += change.orders.length;
    return 'booked';
  });
}

/** An execution proves that the broker has the order; one that is over stays over. */
function statusAfterPart(status: OrderStatus): OrderStatus {
  return status === 'sending' || status === 'unknown' || status === 'intended' || status === 'withdrawn'
    ? 'working'
    : status;
}
