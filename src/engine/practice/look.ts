// One look of a practice account at the market: what filled, ended and happened overnight since the last look. Promises
// the same result whoever looks, that a look at an earlier instant changes nothing, and that no order fills after its day.
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { Session } from '../market/calendar.ts';
import type { CalendarExceptions } from '../market/calendar-exceptions.ts';
import { commissionOf, TRADING_COSTS } from '../market/costs.ts';
import type { CalendarId, Instrument, Marks } from '../market/instrument.ts';
import { inEndOfDayOrder } from '../market/kinds/kind-rules.ts';
import type { PositionEvent } from '../market/position-event.ts';
import { applyFill } from '../portfolio/apply-fill.ts';
import { applyPositionEvent } from '../portfolio/apply-position-event.ts';
import { dollarsPerQuote, hasRate } from '../portfolio/quote-rate.ts';
import { enterOrder, type Entered, type PracticeTicket } from './enter-order.ts';
import { fillPrice, type PracticeQuote } from './fill-price.ts';
import {
  openQuantity,
  type PracticeAccount,
  type PracticeChange,
  type PracticeExecution,
  type PracticeOrder,
} from './practice-account.ts';

/** A session that ended since the last look. */
export type EndedSession = Session & {
  readonly calendar: CalendarId;
  /** The opening price of a day that nobody looked at; null where it did not trade, 'awaited' while its bar may come. */
  readonly openOf: (symbol: Symbol) => number | 'awaited' | null;
  /** What the night does to a holding; null while its close is not known. */
  readonly eventsOf: (
    symbol: Symbol,
    held: Quantity,
    heldOf: (symbol: Symbol) => Quantity | undefined,
  ) => readonly PositionEvent[] | null;
};

export type PracticeMarket = {
  readonly now: Instant;
  /** What the account held and ordered when the market was read for it, and what is about to be ordered. */
  readonly covers: ReadonlySet<Symbol>;
  /** Of instruments whose session is open, with a price of now. */
  readonly quotes: ReadonlyMap<Symbol, PracticeQuote>;
  /** What trades of an instrument within a quarter of an hour; without one, any amount. */
  readonly onOffer: ReadonlyMap<Symbol, Quantity>;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly marks: Marks;
  readonly exceptions: CalendarExceptions;
  /** Oldest first. */
  readonly ended: readonly EndedSession[];
};

/** Whether the market was read for all that the account holds and orders: another process may have changed it since. */
export function isCovered({ portfolio, working }: PracticeAccount, { covers }: PracticeMarket): boolean {
  return [...portfolio.positions.keys(), ...working.map(({ symbol }) => symbol)].every((symbol) =>
    covers.has(symbol),
  );
}

export function look(account: PracticeAccount, market: PracticeMarket): PracticeChange {
  const book = openBook(account);
  if (market.now <= account.lookedAt) return book.close(account.lookedAt);
  let reached = account.lookedAt;
  for (const session of market.ended) {
    if (session.closesAt <= account.lookedAt || session.closesAt > market.now) continue;
    if (reached < session.opensAt && !fillAtOpening(book, session, market)) return book.close(reached);
    expire(book, session.closesAt);
    if (!passNight(book, session, market)) return book.close(reached);
    reached = session.closesAt;
  }
  expire(book, market.now);
  fillAtQuotes(book, market);
  return book.close(market.now);
}

/** Takes an order in and tries it at once, after everything that happened before it. */
export function lookAndEnter(
  account: PracticeAccount,
  ticket: PracticeTicket,
  market: PracticeMarket,
): { readonly change: PracticeChange; readonly entered: Entered } {
  const before = look(account, market);
  const at = Math.max(market.now, account.lookedAt) as Instant;
  const { marks, instruments, exceptions } = market;
  const entered = enterOrder(before.account, ticket, { at, marks, instruments, exceptions });
  if (entered.outcome === 'rejected') return { change: before, entered };
  const book = openBook(entered.account);
  book.put(entered.order);
  // A look that is waiting for a close, or is older than the account, fills nothing.
  if (before.account.lookedAt === market.now) fillAtQuotes(book, market);
  const after = book.close(before.account.lookedAt);
  return {
    entered,
    change: {
      account: after.account,
      orders: [...before.orders, ...after.orders],
      executions: [...before.executions, ...after.executions],
    },
  };
}

function fillAtQuotes(book: Book, market: PracticeMarket): void {
  for (const order of book.working()) {
    const quote = market.quotes.get(order.symbol);
    const instrument = market.instruments.get(order.symbol);
    if (quote === undefined || instrument === undefined || order.submittedAt > market.now) continue;
    if (order.filled > 0 && market.now - order.changedAt < PART_MS) continue;
    const price = fillPrice(order, quote, instrument);
    if (price !== null) book.fill(order, { price, at: market.now }, market);
  }
}

/**
 * Nobody looked at this session while it was open: what waited for its opening fills there, as in a backtest. False while an
 * opening price may still come: the order waits, and so does everything after it.
 */
function fillAtOpening(book: Book, session: EndedSession, market: PracticeMarket): boolean {
  const waiting = book
    .working()
    .filter(({ symbol }) => market.instruments.get(symbol)?.calendar === session.calendar)
    .filter(({ submittedAt }) => submittedAt <= session.opensAt)
    .map((order) => ({ order, open: session.openOf(order.symbol) }));
  if (waiting.some(({ open }) => open === 'awaited')) return false;
  for (const { order, open } of waiting) {
    if (typeof open !== 'number') continue;
    const price = fillPrice(
      order,
      { last: open, bid: open, ask: open },
      market.instruments.get(order.symbol)!,
    );
    if (price !== null) book.fill(order, { price, at: session.opensAt }, market);
  }
  return true;
}

function expire(book: Book, at: Instant): void {
  for (const order of book.working())
    if (order.expiresAt <= at) book.put({ ...order, status: 'expired', changedAt: order.expiresAt });
}

/** False when a close is missing: the night waits, and so does everything after it. */
function passNight(book: Book, session: EndedSession, { instruments, marks }: PracticeMarket): boolean {
  const before = book.portfolio();
  for (const symbol of inEndOfDayOrder([...before.positions.keys()])) {
    if (instruments.get(symbol)?.calendar !== session.calendar) continue;
    const held = book.portfolio().positions.get(symbol)?.quantity;
    if (held === undefined) continue;
    const heldOf = (other: Symbol) => book.portfolio().positions.get(other)?.quantity;
    const events = session.eventsOf(symbol, held, heldOf);
    if (events === null) {
      book.restore(before);
      return false;
    }
    for (const event of events) {
      const applied = applyPositionEvent(book.portfolio(), event, {
        instruments,
        marks,
        at: session.closesAt,
      });
      if (applied !== null) book.restore(applied.portfolio);
    }
  }
  return true;
}

type Book = ReturnType<typeof openBook>;

function openBook(account: PracticeAccount) {
  let { portfolio } = account;
  const orders = new Map(account.working.map((order) => [order.orderId, order]));
  const changed = new Map<string, PracticeOrder>();
  const executions: PracticeExecution[] = [];
  const put = (order: PracticeOrder) => {
    orders.set(order.orderId, order);
    changed.set(order.orderId, order);
  };
  return {
    portfolio: () => portfolio,
    restore: (other: typeof portfolio) => void (portfolio = other),
    working: () => [...orders.values()].filter(({ status }) => status === 'working'),
    put,
    fill(
      order: PracticeOrder,
      { price, at }: { readonly price: number; readonly at: Instant },
      market: PracticeMarket,
    ) {
      const instrument = market.instruments.get(order.symbol)!;
      const part = partOnOffer(order, instrument, market.onOffer.get(order.symbol));
      if (part <= 0 || !hasRate(instrument, market.marks)) return;
      const rate = dollarsPerQuote(instrument, price, market.marks);
      const commission = commissionOf({ quantity: part, price }, instrument, { costs: TRADING_COSTS, rate });
      const { clientOrderId, symbol, side } = order;
      const fill = { clientOrderId, symbol, side, quantity: part, price, commission, at };
      portfolio = applyFill(portfolio, fill, instrument, market.marks).portfolio;
      const filled = quantity(order.filled + part);
      const executionId = `${order.orderId}.${filled}` as ExecutionId;
      executions.push({ ...fill, executionId, orderId: order.orderId });
      put({ ...order, filled, changedAt: at, status: filled === order.quantity ? 'filled' : 'working' });
    },
    close(lookedAt: Instant): PracticeChange {
      const working = [...orders.values()].filter(({ status }) => status === 'working');
      return {
        account: { ...account, portfolio, working, lookedAt },
        orders: [...changed.values()],
        executions,
      };
    },
  };
}

/** At least one step trades; the last part may be the fraction that a split left. */
function partOnOffer(
  order: PracticeOrder,
  { quantityStep }: Instrument,
  onOffer: Quantity | undefined,
): Quantity {
  const open = openQuantity(order);
  if (onOffer === undefined || onOffer >= open) return open;
  return quantity(Math.min(open, Math.max(quantityStep, Math.floor(onOffer / quantityStep) * quantityStep)));
}

/** A partly filled order trades again after a quarter of an hour of its market. */
const PART_MS = 15 * MINUTE_MS;
