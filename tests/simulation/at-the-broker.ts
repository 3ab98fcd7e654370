import type { BrokerOrder } from '#ports/broker.ts';
import { practiceStore } from '#records/practice/practice-accounts.ts';
import { isOpen } from '#sandbox/alpaca/orders/order.ts';
import { isWorking } from '#sandbox/interactive-brokers/orders/order-rows.ts';
import type { BrokerAccountId, ClientOrderId, Symbol } from '#units/identifiers.ts';
import { parseQuantity, type Quantity } from '#units/quantity.ts';
import type { SimulatedPerson, World } from './world.ts';

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

/** The true books of each account, at its broker or on practice: a broker's lists leave things out. */
export async function listAtBroker(world: World): Promise<AtBroker[]> {
  const real = world.people.map((person) =>
    person.vendor === 'alpaca' ? atSecondVendor(world, person) : atFirstVendor(world, person),
  );
  return world.isMixed ? [...real, ...(await onPractice(world))] : real;
}

/** Its lists leave out what was sent in an earlier brokerage session. */
function atFirstVendor({ brokerage }: World, { account }: SimulatedPerson): AtBroker {
  return {
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
  };
}

function atSecondVendor({ second }: World, { account }: SimulatedPerson): AtBroker {
  const { books } = second!.standIn;
  const held = books.accounts.find(({ number }) => number === account)!.held;
  return {
    account: account as BrokerAccountId,
    orders: books.orders
      .filter((order) => order.account.number === account)
      .map((order) => ({
        brokerOrderId: order.id,
        clientOrderId: order.clientOrderId as ClientOrderId,
        symbol: order.instrument.symbol,
        side: order.side,
        quantity: order.quantity,
        filled: order.filled,
        stopPrice: order.stop,
        isWorking: isOpen(order),
      })),
    positions: [...held].map(([symbol, quantity]) => ({ symbol, quantity })),
  };
}

async function onPractice({ records }: World): Promise<AtBroker[]> {
  const { database, pool } = records;
  const { rows: accounts } = await pool.query<{ id: BrokerAccountId }>(
    'select account_id as id from practice_accounts order by 1',
  );
  const { rows: orders } = await pool.query<PracticeRow>(
    `select account_id as account, broker_order_id as "brokerOrderId", client_order_id as "clientOrderId", symbol, side,
       quantity, filled_quantity as filled, stop_price::float as "stopPrice", status = 'working' as "isWorking"
     from practice_orders order by submitted_at, broker_order_id`,
  );
  const found: AtBroker[] = [];
  for (const { id } of accounts) {
    const { portfolio } = await practiceStore(database).read(id);
    found.push({
      account: id,
      orders: orders
        .filter(({ account }) => account === id)
        .map(({ quantity, filled, ...order }) => ({
          ...order,
          quantity: parseQuantity(quantity),
          filled: parseQuantity(filled),
        })),
      positions: [...portfolio.positions.values()],
    });
  }
  return found;
}

type PracticeRow = Omit<OrderAtBroker, 'quantity' | 'filled'> & {
  readonly account: BrokerAccountId;
  readonly quantity: string;
  readonly filled: string;
};
