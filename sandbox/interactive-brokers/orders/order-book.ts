// Orders and executions as rows.
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS, type Instant, instant } from '#units/instant.ts';
import { type Micro, micro } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { keepWorkingOrders, type WorkingOrders } from './working-orders.ts';

export type OrderType = 'LMT' | 'MKT' | 'STP';
type OrderStatus = 'PreSubmitted' | 'Submitted' | 'PendingCancel' | 'Filled' | 'Cancelled' | 'Inactive';

export type Order = {
  readonly orderId: number;
  readonly accountId: string;
  readonly clientOrderId: string | null;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly orderType: OrderType;
  /** The limit, or the stop; null for a market order. */
  readonly price: number | null;
  readonly timeInForce: 'DAY' | 'GTC';
  readonly quantity: Quantity;
  readonly filled: Quantity;
  readonly status: OrderStatus;
  readonly note: string;
  readonly submittedAt: Instant;
  readonly changedAt: Instant;
  readonly expiresAt: Instant | null;
  /** The brokerage session it was sent in: no other one shows it. Null for the person's own orders, which all show. */
  readonly sessionId: string | null;
  /** Lists leave it out until then. */
  readonly hiddenUntil: Instant | null;
  /** A cancellation on its way arrives then. */
  readonly cancelAt: Instant | null;
};

export type NewOrder = Omit<
  Order,
  'orderId' | 'filled' | 'status' | 'note' | 'changedAt' | 'hiddenUntil' | 'cancelAt'
>;

type OrderMark = {
  readonly hiddenUntil?: Instant;
  readonly cancelAt?: Instant;
  /** Ended as Inactive: put aside, not cancelled. */
  readonly isParked?: true;
  /** A client id that another order of the account has already. */
  readonly repeatedClientId?: string;
};

export type Execution = {
  readonly executionId: string;
  readonly order: Order;
  readonly quantity: Quantity;
  readonly price: number;
  readonly commission: Micro;
  readonly at: Instant;
};

export type Revision = Pick<Execution, 'quantity' | 'price' | 'commission'> & {
  /** How lists report it from then on: instead of the earlier ones, after them, or not at all and none of them either. */
  readonly reported: 'instead' | 'beside' | 'nothing';
};

export type OrderBook = {
  /** Null when the account already has an order with this client id. */
  add(order: NewOrder): Order | null;
  hasClientId(accountId: string, clientOrderId: string): boolean;
  find(orderId: number): Order | null;
  readonly working: Omit<WorkingOrders<Order>, 'touch'>;
  workingOf(accountId: string): readonly Order[];
  /** Every order of an account that works or ended lately, whoever may see it. */
  recent(accountId: string, at: Instant): readonly Order[];
  /** Adds an execution row and moves the order along; returns nothing. Call inside a transaction. */
  fill(order: Order, execution: Omit<Execution, 'executionId' | 'order'>): void;
  end(order: Order, at: Instant, note: string): void;
  /** Remembers what is unusual about an order. */
  mark(orderId: number, mark: OrderMark): void;
  /** Reports an execution again under the next revision of its id. The quantity it takes back does not trade again. */
  revise(execution: Execution, revision: Revision, at: Instant): void;
  executions(accountId: string, from: Instant): readonly Execution[];
  averagePrice(orderId: number): number | null;
  /** Counts up with each change of an account's orders. */
  version(accountId: string): number;
};

export function openOrderBook(database: DatabaseSync, realNow: () => number): OrderBook {
  const byId = database.prepare(`SELECT * FROM ${MARKED} WHERE order_id = ?`);
  const find = (orderId: number) => {
    const row = byId.get(orderId);
    return row ? readOrder(row) : null;
  };
  const byClientId = database.prepare('SELECT 1 FROM orders WHERE account_id = ? AND client_order_id = ?');
  const allWorking = database.prepare(`SELECT * FROM ${MARKED} WHERE ${WORKING} ORDER BY order_id`);
  const workingOf = database.prepare(
    `SELECT * FROM ${MARKED} WHERE account_id = ? AND ${WORKING} ORDER BY order_id`,
  );
  const recent = database.prepare(
    `SELECT * FROM ${MARKED} WHERE account_id = ? AND (${WORKING} OR changed_at >= ? OR changed_ms >= ?) ORDER BY order_id`,
  );
  const insert = database.prepare(
    `INSERT INTO orders (account_id, client_order_id, symbol, side, order_type, price, time_in_force, quantity,
       status, submitted_at, changed_at, changed_ms, expires_at, session_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'PreSubmitted', ?, ?, ?, ?, ?)`,
  );
  const change = database.prepare(
    'UPDATE orders SET filled = ?, status = ?, note = ?, changed_at = ?, changed_ms = ? WHERE order_id = ?',
  );
  const insertExecution = database.prepare(
    `INSERT INTO executions (execution_id, order_id, account_id, quantity, price, commission_micro, executed_at, recorded_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const marks = database.prepare(
    `INSERT INTO order_marks (order_id, hidden_until, cancel_at, order_ref, is_parked) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (order_id) DO UPDATE SET hidden_until = coalesce(excluded.hidden_until, hidden_until),
       cancel_at = coalesce(excluded.cancel_at, cancel_at), order_ref = coalesce(excluded.order_ref, order_ref),
       is_parked = max(is_parked, excluded.is_parked)`,
  );
  const ofOrder = database.prepare(
    `SELECT coalesce(r.quantity, e.quantity) AS quantity, coalesce(r.price, e.price) AS price
     FROM executions e LEFT JOIN (SELECT *, max(revision) FROM execution_revisions GROUP BY execution_id) r
       USING (execution_id) WHERE e.order_id = ?`,
  );
  const revisionsOf = database.prepare(
    `SELECT r.* FROM execution_revisions r JOIN executions e USING (execution_id)
     WHERE e.account_id = ? ORDER BY r.execution_id, r.revision`,
  );
  const insertRevision = database.prepare(
    `INSERT INTO execution_revisions (execution_id, revision, quantity, price, commission_micro, reported)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const executed = database.prepare(
    `SELECT e.execution_id, e.quantity AS executed, e.price AS executed_price, e.commission_micro, e.executed_at, o.*, m.hidden_until, m.cancel_at, m.order_ref, m.is_parked
     FROM executions e JOIN orders o USING (order_id) LEFT JOIN order_marks m USING (order_id)
     WHERE e.account_id = ? AND (e.executed_at >= ? OR e.recorded_ms >= ?)
     ORDER BY e.executed_at, e.execution_id`,
  );

  const versions = new Map<string, number>();
  const working = keepWorkingOrders(database, { readAll: () => allWorking.all().map(readOrder), find });
  const changed = ({ accountId }: { readonly accountId: string }) =>
    versions.set(accountId, (versions.get(accountId) ?? 0) + 1);

  return {
    find,
    version: (accountId) => versions.get(accountId) ?? 0,
    hasClientId: (accountId, clientOrderId) => byClientId.get(accountId, clientOrderId) !== undefined,
    working,
    workingOf: (accountId) => workingOf.all(accountId).map(readOrder),
    recent: (accountId, at) =>
      recent.all(accountId, at - 7 * DAY_MS, realNow() - REAL_MEMORY_MS).map(readOrder),
    add(order) {
      if (order.clientOrderId && byClientId.get(order.accountId, order.clientOrderId)) return null;
      changed(order);
      const { lastInsertRowid } = insert.run(
        order.accountId,
        order.clientOrderId,
        order.symbol,
        order.side,
        order.orderType,
        order.price,
        order.timeInForce,
        order.quantity,
        order.submittedAt,
        order.submittedAt,
        realNow(),
        order.expiresAt,
        order.sessionId,
      );
      working.touch(Number(lastInsertRowid));
      return find(Number(lastInsertRowid));
    },
    fill(order, { quantity: part, price, commission, at }) {
      changed(order);
      const executionId = `${order.orderId.toString(16).padStart(8, '0')}.${Math.floor(at / 1_000).toString(16)}.${String(ofOrder.all(order.orderId).length + 1).padStart(2, '0')}.01`;
      insertExecution.run(
        executionId,
        order.orderId,
        order.accountId,
        part,
        price,
        commission,
        at,
        realNow(),
      );
      const filled = order.filled + part;
      change.run(
        filled,
        filled === order.quantity ? 'Filled' : 'Submitted',
        '',
        at,
        realNow(),
        order.orderId,
      );
      working.touch(order.orderId);
    },
    end(order, at, note) {
      changed(order);
      change.run(order.filled, 'Cancelled', note, at, realNow(), order.orderId);
      working.touch(order.orderId);
    },
    mark(orderId, { hiddenUntil, cancelAt, repeatedClientId, isParked }) {
      marks.run(orderId, hiddenUntil ?? null, cancelAt ?? null, repeatedClientId ?? null, isParked ? 1 : 0);
      working.touch(orderId);
    },
    revise({ executionId, order, quantity: before }, { quantity: size, price, commission, reported }, at) {
      changed(order);
      const revision = revisionIn(executionId) + 1;
      insertRevision.run(withRevision(executionId, 1), revision, size, price, commission, reported);
      const { filled, status, note } = find(order.orderId)!;
      const left = filled - before + size;
      const isOver = status === 'Filled' && left < order.quantity;
      change.run(left, isOver ? 'Cancelled' : stored(status), note, at, realNow(), order.orderId);
      working.touch(order.orderId);
    },
    executions(accountId, from) {
      const revisions = Map.groupBy(revisionsOf.all(accountId), (row) => String(row.execution_id));
      return executed
        .all(accountId, from, realNow() - REAL_MEMORY_MS)
        .flatMap((row) => asReported(readExecution(row), revisions.get(String(row.execution_id)) ?? []));
    },
    averagePrice(orderId) {
      let units = 0;
      let paid = 0;
      for (const row of ofOrder.all(orderId)) {
        units += Number(row.quantity);
        paid += Number(row.quantity) * Number(row.price);
      }
      return units === 0 ? null : paid / units;
    },
  };
}

const MARKED = 'orders LEFT JOIN order_marks USING (order_id)';
const WORKING = "status IN ('PreSubmitted', 'Submitted')";

/** Days pass in seconds here, so recent events in real time stay visible too, for a client that was down. */
const REAL_MEMORY_MS = 1_800_000;

function readOrder(row: Record<string, unknown>): Order {
  return {
    orderId: Number(row.order_id),
    accountId: String(row.account_id),
    clientOrderId: textOrNull(row.client_order_id ?? row.order_ref),
    symbol: String(row.symbol),
    side: row.side as Order['side'],
    orderType: row.order_type as OrderType,
    price: row.price === null ? null : Number(row.price),
    timeInForce: row.time_in_force as Order['timeInForce'],
    quantity: quantity(Number(row.quantity)),
    filled: quantity(Number(row.filled)),
    status: statusOf(row),
    note: String(row.note),
    submittedAt: instant(Number(row.submitted_at)),
    changedAt: instant(Number(row.changed_at)),
    expiresAt: instantOrNull(row.expires_at),
    sessionId: textOrNull(row.session_id),
    hiddenUntil: instantOrNull(row.hidden_until),
    cancelAt: instantOrNull(row.cancel_at),
  };
}

function readExecution(row: Record<string, unknown>): Execution {
  return {
    executionId: String(row.execution_id),
    order: readOrder(row),
    quantity: quantity(Number(row.executed)),
    price: Number(row.executed_price),
    commission: micro(Number(row.commission_micro)),
    at: instant(Number(row.executed_at)),
  };
}

/** An execution as lists report it after its revisions; the last revision decides how. */
function asReported(first: Execution, revisions: readonly Record<string, unknown>[]): readonly Execution[] {
  const all = [
    first,
    ...revisions.map((row) => ({
      ...first,
      executionId: withRevision(first.executionId, Number(row.revision)),
      quantity: quantity(Number(row.quantity)),
      price: Number(row.price),
      commission: micro(Number(row.commission_micro)),
    })),
  ];
  switch (revisions.at(-1)?.reported) {
    case 'instead':
      return all.slice(-1);
    case 'nothing':
      return [];
    default:
      return all;
  }
}

/** The last of the groups of an execution's id counts its revisions. */
function revisionIn(executionId: string): number {
  return Number(executionId.slice(executionId.lastIndexOf('.') + 1));
}

function withRevision(executionId: string, revision: number): string {
  const stem = executionId.slice(0, executionId.lastIndexOf('.') + 1);
  return `${stem}${String(revision).padStart(2, '0')}`;
}

/** Those that marks make of others are not written down. */
function stored(status: OrderStatus): OrderStatus {
  if (status === 'Inactive') return 'Cancelled';
  return status === 'PendingCancel' ? 'Submitted' : status;
}

function statusOf(row: Record<string, unknown>): OrderStatus {
  const status = row.status as OrderStatus;
  if (status === 'Cancelled') return row.is_parked === 1 ? 'Inactive' : status;
  return status !== 'Filled' && instantOrNull(row.cancel_at) !== null ? 'PendingCancel' : status;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function instantOrNull(value: unknown): Instant | null {
  return typeof value === 'number' ? instant(value) : null;
}
