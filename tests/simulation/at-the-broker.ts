import type { BrokerOrder } from '#ports/broker.ts';
import { isWorking } from '#sandbox/interactive-brokers/orders/order-rows.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import type { Quantity } from '#units/quantity.ts';
import type { World } from './world.ts';

export type OrderAtBroker = Pick<BrokerOrder, 'brokerOrderId' | 'side' | 'quantity' | 'filled'> & {
  readonly clientOrderId: ClientOrderId | null;
  readonly symbol: Symbol;
  readonly stopPrice: number | null;
  readonly isWorking: boolean;
};

export type AtBroker = {
  readonly account: BrokerAccountId;
  readonly orders: readonly OrderAtBroker[];
  readonly positions: readonly { readonly symbol: Symbol; readonly quantity: Quantity }[];
};

/** The broker's true books for each person: its lists leave out what was sent in an earlier brokerage session. */
export function listAtBroker({ people, brokerage }: World): AtBroker[] {
  return people.map(({ account }) => ({
    account: account as BrokerAccountId,
    orders: brokerage.books.orders(account).map((order) => ({
      brokerOrderId: String(order.orderId),
      clientOrderId: order.clientOrderId as ClientOrderId | null,
      symbol: order.symbol as Symbol,
      side: order.side === 'BUY' ? 'buy' : 'sell',
      quantity: order.quantity,
      filled: order.filled,
      stopPrice: order.orderType === 'STP' ? order.price : null,
      isWorking: isWorking(order),
    })),
    positions: brokerage.books
      .positions(account)
      .map(({ symbol, quantity }) => ({ symbol: symbol as Symbol, quantity })),
  }));
}
