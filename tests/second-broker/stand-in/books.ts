// The stand-in's own books, which are the truth that the product's books are compared with: accounts, orders, executions
// and cash, and a matching that knows only the prices of the moments at which it looks.
import type { Chance } from './chance.ts';
import type { Contract } from './contracts.ts';
import type { MarketPrice } from './market-world.ts';
import { dayEndAfter } from './trading-days.ts';

export type Account = {
  readonly id: string;
  readonly user: string;
  readonly opening: { readonly cash: number; readonly holdings: ReadonlyMap<string, number> };
  /** In millionths of a dollar. */
  cash: number;
  /** Units by symbol, and what one unit cost on average. */
  readonly positions: Map<string, { units: number; average: number }>;
};

export type Ticket = {
  readonly account: string;
  readonly contract: Contract;
  readonly clientId: string | null;
  readonly side: 'BUY' | 'SELL';
  readonly type: 'LMT' | 'MKT' | 'STP';
  /** The limit, or the stop; null for a market order. */
  readonly price: number | null;
  readonly lasts: 'DAY' | 'GTC';
  readonly units: number;
};

export type Order = Ticket & {
  readonly id: number;
  /** The brokerage session in which it was placed: only that one shows it. */
  readonly session: number;
  readonly placedAt: number;
  readonly endsAt: number | null;
  state: 'working' | 'cancelling' | 'filled' | 'cancelled' | 'expired';
  filled: number;
  paid: number;
  changedAt: number;
  /** A stop whose price has traded. */
  isTriggered: boolean;
};

export type Execution = {
  readonly stem: string;
  revision: number;
  readonly order: Order;
  readonly units: number;
  price: number;
  /** The figure that counts, in dollars; negative for a rebate. */
  readonly commission: number;
  readonly at: number;
  /** Lists of trades that have shown it. */
  looks: number;
};

const EPSILON = 1e-9;

export class Books {
  readonly #chance: Chance;
  readonly accounts = new Map<string, Account>();
  readonly orders: Order[] = [];
  readonly executions: Execution[] = [];
  /** What must never happen, in the order in which it did. */
  readonly findings: string[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  open(user: string, id: string, dollars: number, holdings: Readonly<Record<string, number>> = {}): Account {
    const held = Object.entries(holdings);
    const cash = Math.round(dollars * 1e6);
    const account: Account = {
      id,
      user,
      opening: { cash, holdings: new Map(held) },
      cash,
      positions: new Map(held.map(([symbol, units]) => [symbol, { units, average: 10 }])),
    };
    this.accounts.set(id, account);
    return account;
  }

  account(id: string): Account {
    const found = this.accounts.get(id);
    if (found === undefined) throw new Error(`there is no account ${id}`);
    return found;
  }

  held(accountId: string, symbol: string): number {
    return this.account(accountId).positions.get(symbol)?.units ?? 0;
  }

  working(accountId?: string): Order[] {
    return this.orders.filter(
      (order) =>
        (order.state === 'working' || order.state === 'cancelling') &&
        (accountId === undefined || order.account === accountId),
    );
  }

  /** A repeated client id is not refused here: it becomes a second order and a finding. */
  place(ticket: Ticket, session: number, now: number): Order {
    const twin = this.orders.find(({ clientId }) => clientId !== null && clientId === ticket.clientId);
    if (twin !== undefined) this.findings.push(`client order id twice: ${ticket.clientId}`);
    const order: Order = {
      ...ticket,
      // Beyond 32 bits.
      id: 6_000_000_000 + 7 * this.orders.length + 3,
      session,
      placedAt: now,
      endsAt: ticket.lasts === 'DAY' ? dayEndAfter(ticket.contract.type, now) : null,
      state: 'working',
      filled: 0,
      paid: 0,
      changedAt: now,
      isTriggered: false,
    };
    this.orders.push(order);
    this.#checkStops(order, now);
    return order;
  }

  /** The end of an order whose cancellation was asked for; a fill may have been faster. */
  endCancelled(order: Order, now: number): void {
    if (order.state === 'cancelling') this.#end(order, 'cancelled', now);
  }

  /** Ends day orders, then fills what these prices allow. */
  match(now: number, prices: ReadonlyMap<string, MarketPrice>): void {
    for (const order of this.working()) {
      if (order.endsAt !== null && order.endsAt <= now) {
        this.#end(order, 'expired', order.endsAt);
        continue;
      }
      const price = prices.get(order.contract.symbol);
      if (!price?.open) continue;
      const at = priceFor(order, price);
      if (at === null) continue;
      if (order.type === 'STP') order.isTriggered = true;
      this.#fill(order, this.#part(order), at, now);
    }
  }

  /** A correction of a price after the fact: the same stem, the next revision, and the cash moves by the difference. */
  correct(execution: Execution, price: number): void {
    const account = this.account(execution.order.account);
    const sign = execution.order.side === 'BUY' ? -1 : 1;
    account.cash += sign * Math.round((price - execution.price) * execution.units * 1e6);
    execution.price = price;
    execution.revision += 1;
  }

  #part(order: Order): number {
    const rest = order.units - order.filled;
    const { step } = order.contract;
    // What goes to the market trades at once.
    if (order.type !== 'LMT') return rest;
    if (rest <= 2 * step || !this.#chance.happens(0.3, 'part', `${order.id} ${order.filled}`)) return rest;
    return Math.max(step, Math.floor((rest * 0.6) / step) * step);
  }

  #fill(order: Order, part: number, price: number, now: number): void {
    const account = this.account(order.account);
    const units = Number(part.toFixed(8));
    const number = this.executions.length;
    const commission = this.#commission(order, units, price, number);
    const stem = `0000e0d5.${(0x64780000 + number).toString(16)}.01.`;
    this.executions.push({ stem, revision: 1, order, units, price, commission, at: now, looks: 0 });
    const signed = order.side === 'BUY' ? units : -units;
    const before = account.positions.get(order.contract.symbol) ?? { units: 0, average: 0 };
    const after = Number((before.units + signed).toFixed(8));
    const average =
      signed > 0
        ? (before.units * before.average + signed * price) / (before.units + signed)
        : before.average;
    account.positions.set(order.contract.symbol, { units: after, average });
    account.cash -= Math.round(signed * price * 1e6) + Math.round(commission * 1e6);
    order.filled = Number((order.filled + units).toFixed(8));
    order.paid += units * price;
    order.changedAt = now;
    if (order.filled >= order.units - EPSILON) order.state = 'filled';
    if (after < -EPSILON)
      this.findings.push(`short: ${after} ${order.contract.symbol} after order ${order.clientId}`);
    this.#checkStops(order, now);
  }

  /** Two dollars at least, and now and then a rebate, unlike the product's own estimate. */
  #commission(order: Order, units: number, price: number, number: number): number {
    if (order.contract.type === 'STK' && this.#chance.happens(0.1, 'rebate', number)) return -0.35;
    const rate = { STK: 0.008 * units, CASH: 0.00003 * units * price, CRYPTO: 0.0018 * units * price };
    return Number(Math.max(2, rate[order.contract.type]).toFixed(4));
  }

  #end(order: Order, state: 'cancelled' | 'expired', at: number): void {
    order.state = state;
    order.changedAt = at;
  }

  /** The stops that work here close at most what is held here. */
  #checkStops({ account, contract }: Order, now: number): void {
    const stops = this.working(account).filter(
      (order) => order.type === 'STP' && order.side === 'SELL' && order.contract === contract,
    );
    const closing = stops.reduce((sum, { units, filled }) => sum + units - filled, 0);
    const held = this.held(account, contract.symbol);
    if (closing <= Math.max(0, held) + EPSILON) return;
    const named = stops.map(({ clientId, session }) => `${clientId} of session ${session}`).join(', ');
    this.findings.push(
      `stops: they close ${closing} ${contract.symbol} of ${held} held at ${new Date(now).toISOString()}: ${named}`,
    );
  }
}

function priceFor(order: Order, { last, bid, ask }: MarketPrice): number | null {
  const round = (price: number) => Number(price.toFixed(order.contract.decimals));
  const market = round(order.side === 'BUY' ? ask : bid);
  if (order.type === 'MKT' || order.price === null || order.isTriggered) return market;
  const isBuy = order.side === 'BUY';
  if (order.type === 'LMT') return (isBuy ? market <= order.price : market >= order.price) ? market : null;
  return (isBuy ? last >= order.price : last <= order.price) ? market : null;
}
