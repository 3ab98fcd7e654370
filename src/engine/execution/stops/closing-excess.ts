// What the stops and exits at a broker would close beyond what the account holds there. Taken from the broker's own list
// where it shows the order, and from our rows where it does not: what no list shows may work all the same.
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { Side } from '../../order/order.ts';
import { type AccountPosition, missingQuantity } from '../orders/available-quantity.ts';
import { isUnresolved, type OpenOrder } from '../orders/open-order.ts';

/** An order of ours that only closes a position: its status is that of our rows. */
export type ClosingOrder = Pick<OpenOrder, 'decided' | 'filled' | 'status' | 'reason'>;

export type ShownOrder = {
  readonly clientOrderId: ClientOrderId | null;
  readonly isWorking: boolean;
  readonly quantity: Quantity;
  readonly filled: Quantity;
};

export type ClosingGroup = {
  readonly symbol: Symbol;
  readonly side: Side;
  readonly closing: Quantity;
  readonly orders: readonly ClientOrderId[];
};

/**
 * By instrument and side. An order that the broker does not show counts unless it is a task for staff: they are asked what
 * has become of it.
 */
export function closingAtBroker(
  orders: readonly ClosingOrder[],
  shown: readonly ShownOrder[],
): readonly ClosingGroup[] {
  const reports = new Map(shown.map((report) => [report.clientOrderId, report]));
  const closing = orders.flatMap(({ decided, filled, status, reason }) => {
    const { clientOrderId, symbol, side } = decided;
    const report = reports.get(clientOrderId);
    const mayWork = (status === 'working' || status === 'sending') && !isUnresolved({ status, reason });
    if (report === undefined ? !mayWork : !report.isWorking) return [];
    const left = report ? report.quantity - report.filled : decided.quantity - filled;
    return { clientOrderId, symbol, side, left };
  });
  const groups = Map.groupBy(closing, ({ symbol, side }) => `${symbol} ${side}`);
  return [...groups.values()].map((own) => ({
    symbol: own[0]!.symbol,
    side: own[0]!.side,
    closing: quantity(own.reduce((sum, { left }) => sum + left, 0)),
    orders: own.map(({ clientOrderId }) => clientOrderId),
  }));
}

/** Zero or less when the account has it all. */
export function closingExcess({ side, closing }: ClosingGroup, account: AccountPosition): number {
  return missingQuantity({ side, closing, others: [] }, account);
}
