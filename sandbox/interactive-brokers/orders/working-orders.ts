// What works now, of every account. Each request asks whether something is due: reading all of it from the database each time would cost
// more than the answer. An order that changed is read again by itself, and everything after a transaction that was undone.
import type { DatabaseSync } from 'node:sqlite';
import { whenUndone } from '../database.ts';

type Kept = {
  readonly orderId: number;
  readonly symbol: string;
  readonly status: string;
  readonly cancelAt: number | null;
};

export type WorkingOrders<Order extends Kept> = {
  /** By id, which is the order in which they came. */
  all(): readonly Order[];
  symbols(): Iterable<string>;
  /** Those with a cancellation on its way. */
  cancelling(): Iterable<Order>;
  /** After each change of an order. */
  touch(orderId: number): void;
};

type Reads<Order> = {
  readonly readAll: () => readonly Order[];
  readonly find: (orderId: number) => Order | null;
};

export function keepWorkingOrders<Order extends Kept>(
  database: DatabaseSync,
  { readAll, find }: Reads<Order>,
): WorkingOrders<Order> {
  let orders: Map<number, Order> | null = null;
  let listed: readonly Order[] | null = null;
  const ofSymbol = new Map<string, number>();
  const cancelled = new Map<number, Order>();
  const touched = new Set<number>();
  const count = (symbol: string, by: 1 | -1) => {
    const left = (ofSymbol.get(symbol) ?? 0) + by;
    if (left === 0) ofSymbol.delete(symbol);
    else ofSymbol.set(symbol, left);
  };
  const keep = (into: Map<number, Order>, order: Order) => {
    if (!into.has(order.orderId)) count(order.symbol, 1);
    into.set(order.orderId, order);
    if (order.cancelAt !== null) cancelled.set(order.orderId, order);
  };
  const drop = (from: Map<number, Order>, orderId: number) => {
    const known = from.get(orderId);
    if (known === undefined) return;
    count(known.symbol, -1);
    from.delete(orderId);
    cancelled.delete(orderId);
  };
  const forget = () => {
    orders = null;
    listed = null;
    for (const kept of [ofSymbol, cancelled, touched]) kept.clear();
  };
  whenUndone(database, forget);
  const current = (): Map<number, Order> => {
    if (orders === null) {
      forget();
      const read = new Map<number, Order>();
      for (const order of readAll()) keep(read, order);
      orders = read;
      return read;
    }
    for (const orderId of touched) {
      const order = find(orderId);
      if (order !== null && isWorking(order)) keep(orders, order);
      else drop(orders, orderId);
    }
    touched.clear();
    return orders;
  };
  return {
    all() {
      const kept = current();
      listed ??= [...kept.values()];
      return listed;
    },
    symbols() {
      current();
      return ofSymbol.keys();
    },
    cancelling() {
      current();
      return cancelled.values();
    },
    touch(orderId) {
      touched.add(orderId);
      listed = null;
    },
  };
}

const isWorking = ({ status }: Kept) =>
  status === 'PreSubmitted' || status === 'Submitted' || status === 'PendingCancel';
