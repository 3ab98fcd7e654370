// The subscriptions of one socket: full rows first, then the changes. The fault script can drop and repeat frames.
import { type Instant, instant } from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { ContractList } from '../market-data/contract-list.ts';
import { quoteFields } from '../market-data/quote-fields.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { OrderBook } from '../orders/order-book.ts';
import { isShown, orderRow, tradeRow } from '../orders/order-rows.ts';
import type { Person } from '../sign-in/people.ts';

export type Subscriptions = {
  orders(isWanted: boolean): void;
  /** all: those of the last day too; new: from now on. */
  trades(wanted: 'all' | 'new' | 'none'): void;
  /** Null ends it. A subscription ends by itself after a quarter of an hour. */
  quotes(conid: number, wanted: QuoteSubscription | null): void;
  /** Sends what changed since the last time, of the orders those of this brokerage session. */
  pump(sessionId: string, at: Instant, realAt: number): void;
};

type QuoteSubscription = { readonly fields: readonly string[]; readonly since: number };

export function createSubscriptions(tools: {
  readonly accounts: readonly Person[];
  readonly contracts: ContractList;
  readonly prices: PriceSource;
  readonly orders: OrderBook;
  readonly faults: FaultPlan;
  readonly send: (frame: object) => void;
}): Subscriptions {
  const { accounts, contracts, prices, orders, faults, send } = tools;
  const seenVersion = new Map<string, number>();
  const sentOrders = new Map<number, Row>();
  const sentTrades = new Set<string>();
  const subscriptions = new Map<number, QuoteSubscription & { sent: Row }>();
  let wantsOrders = false;
  let tradeScope: 'all' | 'new' | 'none' = 'none';

  /** Through the fault script: a frame may be left out, sent twice, or followed by everything once more. */
  const deliver = (
    frame: object,
    account: string,
    at: Instant,
    history: () => object | null = () => null,
  ) => {
    const how = faults
      .faultsOn('frame', at, account)
      .map((fault) => (fault.kind === 'frame' ? fault.how : null));
    if (how.includes('missing')) return;
    send(frame);
    if (how.includes('repeated')) send(frame);
    const whole = how.includes('whole_history') ? history() : null;
    if (whole) send(whole);
  };

  const tradesOf = (person: Person) =>
    orders.executions(person.accountId, instant(0)).map((execution) => ({
      id: execution.executionId,
      row: tradeRow(execution, contracts.bySymbol(execution.order.symbol), person),
    }));

  const pumpOrders = ({ accountId }: Person, sessionId: string, at: Instant) => {
    for (const order of orders.recent(accountId, at).filter((one) => isShown(one, at, sessionId))) {
      const contract = contracts.bySymbol(order.symbol);
      const row: Row = orderRow(order, contract, orders.averagePrice(order.orderId));
      const before = sentOrders.get(order.orderId);
      const changed = before ? changesOf(before, row) : row;
      sentOrders.set(order.orderId, row);
      if (Object.keys(changed).length === 0) continue;
      const named = { acct: accountId, conid: row.conid, orderId: order.orderId, ...changed };
      deliver({ topic: 'sor', args: [named] }, accountId, at);
    }
  };

  const pumpTrades = (person: Person, at: Instant) => {
    const all = tradesOf(person);
    const fresh = all.filter(({ id }) => !sentTrades.has(id));
    for (const { id } of fresh) sentTrades.add(id);
    const frame = (rows: typeof all) => ({ topic: 'str', args: rows.map(({ row }) => row) });
    if (fresh.length > 0) deliver(frame(fresh), person.accountId, at, () => frame(all));
  };

  const pumpQuotes = (at: Instant, realAt: number) => {
    for (const [conid, subscription] of subscriptions) {
      const contract = contracts.byConid(conid);
      if (!contract || realAt - subscription.since >= QUOTES_MS) {
        subscriptions.delete(conid);
        continue;
      }
      const row = quoteFields(contract, prices, at, subscription.fields);
      const changed = changesOf(subscription.sent, row);
      subscription.sent = row;
      if (Object.keys(changed).length > 0)
        deliver({ topic: `smd+${conid}`, conid, _updated: at, ...changed }, '', at);
    }
  };

  return {
    orders(isWanted) {
      wantsOrders = isWanted;
      sentOrders.clear();
      seenVersion.clear();
    },
    trades(wanted) {
      tradeScope = wanted;
      sentTrades.clear();
      seenVersion.clear();
      if (wanted === 'new')
        for (const person of accounts) for (const { id } of tradesOf(person)) sentTrades.add(id);
    },
    quotes(conid, subscription) {
      if (subscription) subscriptions.set(conid, { ...subscription, sent: {} });
      else subscriptions.delete(conid);
    },
    pump(sessionId, at, realAt) {
      for (const person of accounts) {
        const version = orders.version(person.accountId);
        if (seenVersion.get(person.accountId) === version) continue;
        seenVersion.set(person.accountId, version);
        if (wantsOrders) pumpOrders(person, sessionId, at);
        if (tradeScope !== 'none') pumpTrades(person, at);
      }
      pumpQuotes(at, realAt);
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

function changesOf(before: Row, now: Row): Row {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => before[name] !== value));
}

/** The vendor stops sending prices after a quarter of an hour. */
const QUOTES_MS = 900_000;
