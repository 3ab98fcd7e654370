// Whose execution it is. Several people may trade one brokerage account, each over their own connection, and the broker
// reports everything to each of them: an execution belongs to the connection of its order.
import type { ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';
import { isAtBroker, type OrderStatus } from '../../order/order-status.ts';
import type { Side } from '../../order/order.ts';
import type { ExecutionHold } from './execution-hold.ts';
import type { OpenOrder } from '../orders/open-order.ts';
import type { FillReport } from './order-report.ts';

export type OtherOrder = {
  readonly clientOrderId: ClientOrderId;
  readonly brokerOrderId: string | null;
  readonly status: OrderStatus;
  readonly symbol: Symbol;
  readonly side: Side;
};

/** Whether it belongs, or may belong, to an order of another connection to the account. `name` is its client order id. */
export function belongsElsewhere(
  execution: FillReport,
  name: ClientOrderId | null,
  others: readonly OtherOrder[],
): boolean {
  return others.some(({ clientOrderId, brokerOrderId, status, symbol, side }) => {
    if (name !== null) return clientOrderId === name;
    if (brokerOrderId === execution.brokerOrderId) return true;
    const isUnconfirmed = brokerOrderId === null && (status === 'sending' || status === 'unknown');
    return isUnconfirmed && symbol === execution.symbol && side === execution.side;
  });
}

/** Whether an execution without an order may belong to an order whose fate is unknown. */
function mayBeUnconfirmed(
  execution: FillReport,
  name: ClientOrderId | null,
  unconfirmed: readonly Pick<OpenOrder, 'decided'>[],
): boolean {
  if (name !== null) return false;
  return unconfirmed.some(
    ({ decided }) => decided.symbol === execution.symbol && decided.side === execution.side,
  );
}

/** Why an execution is not simply a fill of its order; null when it is. */
export function fillDoubt(
  execution: FillReport,
  { decided, filled }: { readonly decided: OpenOrder['decided']; readonly filled: Quantity },
): ExecutionHold | null {
  const { symbol, side, brokerInstrumentId, quantity, price } = execution;
  if (symbol !== decided.symbol || side !== decided.side) {
    return {
      code: 'order_differs',
      execution: { side, symbol: symbol ?? brokerInstrumentId },
      order: { side: decided.side, symbol: decided.symbol },
    };
  }
  // An order of ours has a positive limit. An expiry or an assignment has no price, and is no fill of it.
  if (!(price > 0)) return { code: 'price_not_positive', price };
  return filled + quantity > decided.quantity ? { code: 'overfill' } : null;
}

/**
 * Whether an execution that the stream reports is a fill of this order and nothing else. Everything that leaves a doubt
 * waits for the lists: they come with the broker's view of the order.
 */
export function isCertainFill(
  execution: FillReport & { readonly clientOrderId: ClientOrderId | null },
  order: OpenOrder,
): boolean {
  const { clientOrderId, brokerOrderId, quantity } = execution;
  if (clientOrderId !== order.decided.clientOrderId || !isAtBroker(order.status)) return false;
  if (order.brokerOrderId !== null && order.brokerOrderId !== brokerOrderId) return false;
  return quantity > 0 && fillDoubt(execution, order) === null;
}

/** Whether one of these ids is a later revision of the same execution. */
export function isSuperseded(
  { executionId, revisionStem }: Pick<FillReport, 'executionId' | 'revisionStem'>,
  ids: readonly ExecutionId[],
): boolean {
  return revisionStem != null && ids.some((id) => id.startsWith(revisionStem) && id > executionId);
}

export type RevisionVerdict =
  | { readonly type: 'book' }
  /** A later revision is booked, or this one takes back what was never booked. */
  | { readonly type: 'drop' }
  | { readonly type: 'hold'; readonly hold: ExecutionHold };

/**
 * All revisions are one execution: the first one booked stays booked, and a later one waits for a person to correct the
 * books. `known` are the revisions already booked, ours or external.
 */
export function judgeRevision(execution: FillReport, known: readonly ExecutionId[]): RevisionVerdict {
  const { executionId, revisionStem, quantity } = execution;
  if (revisionStem == null) return { type: 'book' };
  if (isSuperseded(execution, known)) return { type: 'drop' };
  const booked = known.toSorted().findLast((id) => id < executionId);
  if (booked === undefined) return quantity === 0 ? { type: 'drop' } : { type: 'book' };
  return { type: 'hold', hold: { code: 'revises_booked', booked, takesBack: quantity === 0 } };
}

/**
 * The decision on an execution that belongs to none of our orders: it waits while it may belong to an order whose fate
 * is unknown; else it is booked as an external trade, unless one of its revisions says otherwise.
 */
export function attributeUnnamed(
  execution: FillReport,
  {
    clientOrderId,
    unconfirmed,
    revision,
  }: {
    readonly clientOrderId: ClientOrderId | null;
    readonly unconfirmed: readonly Pick<OpenOrder, 'decided'>[];
    readonly revision: RevisionVerdict;
  },
): RevisionVerdict {
  return mayBeUnconfirmed(execution, clientOrderId, unconfirmed)
    ? { type: 'hold', hold: { code: 'order_unconfirmed' } }
    : revision;
}
