// The path of an order ticket into the book: parsing, checks, questions, entry.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { nextSession, sessionAt } from '#engine/market/calendar.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import { KIND_RULES } from '#engine/market/kinds/rules-of.ts';
import { type Instant, instant, MINUTE_MS } from '#units/instant.ts';
import { add, fromMicro, type Micro, micro, notional, scale, subtract, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity, toQuantity } from '#units/quantity.ts';
import type { AccountBook } from '../accounts/account-book.ts';
import type { Contract, ContractList } from '../market-data/contract-list.ts';
import { atomically } from '../database.ts';
import type { Fault } from '../faults/fault-script.ts';
import type { Matching } from './matching.ts';
import type { NewOrder, Order, OrderBook, OrderType } from './order-book.ts';
import type { BrokerageSession } from '../session/sessions.ts';

export type EntryAnswer =
  | { readonly kind: 'accepted'; readonly order: Order }
  | { readonly kind: 'question'; readonly replyId: string; readonly messageId: string; readonly text: string }
  /** The vendor answers most refusals with status 200. */
  | { readonly kind: 'refused'; readonly status: 200 | 400; readonly error: string };

export type OrderEntry = {
  submit(
    accountId: string,
    ticket: unknown,
    at: Instant,
    brokerage: Pick<BrokerageSession, 'id' | 'suppressed'>,
    faults?: readonly Fault[],
  ): EntryAnswer;
  /** Answers a question. A question can be answered once, and for a minute. */
  reply(accountId: string, replyId: string, confirmed: boolean, at: Instant): EntryAnswer;
  /** Cancels a working order, unless a fault makes it slow or lets a fill win. */
  cancel(order: Order, at: Instant, faults: readonly Fault[]): void;
};

type Books = {
  readonly database: DatabaseSync;
  readonly contracts: ContractList;
  readonly accounts: AccountBook;
  readonly orders: OrderBook;
  readonly matching: Matching;
  readonly realNow: () => number;
};

export function createOrderEntry(books: Books): OrderEntry {
  const { database, contracts, accounts, orders, matching, realNow } = books;
  const asked = new Map<string, Asked>();

  const enter = (
    { accountId, contract, ...draft }: Draft,
    at: Instant,
    faults: readonly Fault[],
  ): EntryAnswer =>
    atomically(database, () => {
      const { symbol, calendar } = contract.instrument;
      const isRepeat = draft.clientOrderId !== null && orders.hasClientId(accountId, draft.clientOrderId);
      if (isRepeat && !faults.some(({ kind }) => kind === 'takes_repeats'))
        return refused(
          400,
          `Order couldn't be submitted: Local order ID=${draft.clientOrderId} is already registered.`,
        );
      const lacking = marginLack(books, { accountId, contract, ...draft }, at);
      if (lacking) return refused(200, lacking);
      const current = sessionAt(calendar, at) ?? nextSession(calendar, at);
      const order: NewOrder = {
        ...draft,
        clientOrderId: isRepeat ? null : draft.clientOrderId,
        accountId,
        symbol,
        submittedAt: at,
        expiresAt: draft.timeInForce === 'DAY' ? current.closesAt : null,
      };
      const added = orders.add(order);
      if (!added) throw new Error(`client order id ${draft.clientOrderId} entered twice`);
      if (isRepeat) orders.mark(added.orderId, { repeatedClientId: draft.clientOrderId ?? '' });
      markBy(orders, added, faults, at);
      matching.standAt(at);
      if (orders.find(added.orderId)?.status === 'PreSubmitted') matching.tryNow(added, at);
      return { kind: 'accepted', order: orders.find(added.orderId) ?? added };
    });

  const ask = (question: Asked, at: Instant): EntryAnswer => {
    const [first] = question.questions;
    if (!first) return enter(question.draft, at, question.faults);
    const replyId = randomUUID();
    const isForgotten = question.faults.some((fault) => fault.kind === 'questions' && fault.expired);
    if (!isForgotten) asked.set(replyId, question);
    return { kind: 'question', replyId, ...first };
  };

  return {
    submit(accountId, ticket, at, { id: sessionId, suppressed }, faults = []) {
      const read = readTicket(accountId, ticket, contracts);
      if ('kind' in read) return read;
      const draft = { ...read, sessionId };
      const { instrument } = draft.contract;
      if (!fitsIncrement(draft, accounts.position(accountId, instrument.symbol).quantity))
        return refused(
          200,
          'Order quantity does not conform to the minimum size increment for this contract.',
        );
      for (const fault of faults)
        if (fault.kind === 'reject') return refused(fault.status === 400 ? 400 : 200, fault.text);
      const own = questionAbout(draft, accounts.price(instrument.symbol, at));
      const questions = [...(own && !suppressed.has(own.messageId) ? [own] : []), ...scripted(faults)];
      for (const [id, { untilMs }] of asked) if (untilMs < realNow()) asked.delete(id);
      return ask({ draft, questions, faults, untilMs: realNow() + QUESTION_LIFE_MS }, at);
    },
    reply(accountId, replyId, confirmed, at) {
      const question = asked.get(replyId);
      if (!question || question.untilMs < realNow() || question.draft.accountId !== accountId)
        return refused(200, `reply id not found: '${replyId}'`);
      asked.delete(replyId);
      if (!confirmed) return refused(200, 'Order not confirmed ');
      return ask({ ...question, questions: question.questions.slice(1) }, at);
    },
    cancel: (order, at, faults) =>
      atomically(database, () => {
        const slow = faults.find((fault) => fault.kind === 'slow_cancel');
        if (faults.some(({ kind }) => kind === 'fill_wins')) matching.fillNow(order, at);
        else if (slow)
          orders.mark(order.orderId, { cancelAt: instant(at + Math.round(slow.minutes * MINUTE_MS)) });
        else orders.end(order, at, '');
      }),
  };
}

type Question = { readonly messageId: string; readonly text: string };

type Asked = {
  readonly draft: Draft;
  /** The current question and those that follow. */
  readonly questions: readonly Question[];
  readonly faults: readonly Fault[];
  readonly untilMs: number;
};

function scripted(faults: readonly Fault[]): readonly Question[] {
  return faults.flatMap((fault) =>
    fault.kind === 'questions' ? fault.messageIds.map((messageId) => ({ messageId, text: fault.text })) : [],
  );
}

/** Faults of the script for an accepted order. */
function markBy(orders: OrderBook, order: Order, faults: readonly Fault[], at: Instant): void {
  for (const fault of faults) {
    if (fault.kind === 'hidden')
      orders.mark(order.orderId, { hiddenUntil: instant(at + Math.round(fault.minutes * MINUTE_MS)) });
    if (fault.kind !== 'inactive') continue;
    orders.mark(order.orderId, { isParked: true });
    orders.end(order, at, fault.text);
  }
}

type Draft = Omit<NewOrder, 'symbol' | 'submittedAt' | 'expiresAt'> & { readonly contract: Contract };

function readTicket(
  accountId: string,
  ticket: unknown,
  contracts: ContractList,
): Omit<Draft, 'sessionId'> | EntryAnswer {
  if (typeof ticket !== 'object' || ticket === null) return refused(400, 'Bad Request: no order');
  const fields = ticket as Record<string, unknown>;
  if (fields.acctId !== undefined && fields.acctId !== accountId)
    return refused(400, `Bad Request: accountId is not valid: ${String(fields.acctId)}`);
  const contract = contracts.byConid(Number(fields.conid ?? String(fields.conidex ?? '').split('@')[0]));
  if (!contract) return refused(400, 'Bad Request: contract not found');
  const { side, orderType, tif } = fields;
  if (side !== 'BUY' && side !== 'SELL') return refused(400, 'Bad Request: side must be BUY or SELL');
  if (orderType !== 'LMT' && orderType !== 'MKT' && orderType !== 'STP')
    return refused(400, 'Bad Request: orderType must be LMT, MKT or STP');
  if (tif !== 'DAY' && tif !== 'GTC') return refused(400, 'Bad Request: tif must be DAY or GTC');
  const size = readQuantity(fields.quantity);
  if (size === null) return refused(400, 'Bad Request: quantity must be a positive number');
  const price = readPrice(orderType, fields, contract);
  if (typeof price === 'string') return refused(200, price);
  return {
    accountId,
    contract,
    clientOrderId: typeof fields.cOID === 'string' && fields.cOID !== '' ? fields.cOID : null,
    side,
    orderType,
    price,
    timeInForce: tif,
    quantity: size,
  };
}

/** A split may leave a fraction. It is sold with the split shares; no order opens one. */
function fitsIncrement(
  { contract, side, quantity: size }: Omit<Draft, 'sessionId'>,
  held: Quantity,
): boolean {
  const isClosing = held > 0 !== (side === 'BUY') && size <= Math.abs(held);
  return size % contract.instrument.quantityStep === 0 || isClosing;
}

function readQuantity(value: unknown): Quantity | null {
  const units = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return units > 0 && units * 1e8 <= Number.MAX_SAFE_INTEGER ? toQuantity(units) : null;
}

/** The sources do not settle which field carries a stop's price, so both are read. */
function readPrice(
  type: OrderType,
  fields: Record<string, unknown>,
  contract: Contract,
): number | null | string {
  if (type === 'MKT') return null;
  const given = type === 'STP' ? (fields.auxPrice ?? fields.price) : fields.price;
  const price = given === null || given === '' ? Number.NaN : Number(given);
  if (!(price > 0) || !Number.isFinite(price)) return 'Order price is missing or not positive.';
  const { priceDecimals } = contract.instrument;
  if (Math.abs(price - Number(price.toFixed(priceDecimals))) > 1e-9)
    return 'The price does not conform to the minimum price variation for this contract.';
  return price;
}

/** The fat-finger checks, asked before entry. */
function questionAbout(draft: Draft, last: number | null): Question | null {
  if (draft.orderType === 'MKT')
    return {
      messageId: 'o10151',
      text: 'A market order may fill far from the price that you see. Submit it?',
    };
  if (draft.orderType === 'STP')
    return {
      messageId: 'o10331',
      text: 'A stop order becomes a market order when its price trades, and may fill far from it. Submit it?',
    };
  if (draft.price === null || last === null) return null;
  const beyond = draft.side === 'BUY' ? draft.price / last - 1 : 1 - draft.price / last;
  const guard = draft.contract.instrument.kind === 'options' ? PREMIUM_GUARD : PRICE_GUARD;
  if (beyond <= guard) return null;
  return {
    messageId: 'o163',
    text: `The limit price is more than ${guard * 100}% worse than the market. Submit the order anyway?`,
  };
}

/** Why the account cannot carry the order, or null. What only reduces a position needs no margin. */
function marginLack(books: Books, draft: Draft, at: Instant): string | null {
  const { accounts, orders, contracts } = books;
  const { netLiquidation, margin } = accounts.value(draft.accountId, at);
  let reserved: Micro = ZERO_MICRO;
  for (const order of orders.workingOf(draft.accountId)) {
    const contract = contracts.bySymbol(order.symbol);
    const rest = quantity(order.quantity - order.filled);
    reserved = add(reserved, requirement(books, { ...order, contract, quantity: rest }, at));
  }
  const needed = requirement(books, draft, at);
  const available = subtract(subtract(netLiquidation, margin), reserved);
  if (needed === 0 || needed <= available) return null;
  return `Order rejected: it needs ${dollars(needed)} of initial margin and commission, the account has ${dollars(available)} available.`;
}

function requirement(books: Books, draft: Draft, at: Instant): Micro {
  const { accounts } = books;
  const { instrument } = draft.contract;
  const held = accounts.position(draft.accountId, instrument.symbol).quantity;
  const isReducing = held !== 0 && held > 0 !== (draft.side === 'BUY');
  const opening = Math.max(0, draft.quantity - (isReducing ? Math.abs(held) : 0));
  const price = Math.max(draft.price ?? 0, accounts.price(instrument.symbol, at) ?? 0);
  const worth = accounts.inDollars(instrument, notional(quantity(opening), price, instrument.multiplier), at);
  const commission = accounts.commission(instrument, { quantity: quantity(opening), price }, at);
  const opens = quantity(opening);
  if (draft.side === 'SELL' && opening > 0 && parseOption(instrument.symbol)) {
    return add(writtenOptionMargin(books, draft, opens, at), commission);
  }
  return add(scale(micro(worth), KIND_RULES[instrument.kind].initialMargin), commission);
}

/**
 * A written put is secured by its strike in cash. A written call needs no margin as far as shares that are held or being
 * bought cover it; the uncovered part needs the full value of the shares.
 */
function writtenOptionMargin(
  { accounts, orders }: Books,
  { accountId, contract }: Draft,
  opening: Quantity,
  at: Instant,
): Micro {
  const option = parseOption(contract.instrument.symbol)!;
  const { multiplier } = contract.instrument;
  if (option.right === 'put') return notional(opening, option.strike, multiplier);
  const { underlying } = option;
  let shares: number = accounts.position(accountId, underlying).quantity;
  for (const order of orders.workingOf(accountId)) {
    if (order.symbol === underlying && order.side === 'BUY') shares += order.quantity - order.filled;
  }
  for (const held of accounts.positions(accountId)) {
    const other = parseOption(held.symbol as typeof underlying);
    if (other?.underlying === underlying && other.right === 'call' && held.quantity < 0)
      shares += held.quantity * multiplier;
  }
  const uncovered = Math.max(0, opening - Math.max(0, shares) / multiplier);
  return notional(
    quantity(Math.ceil(uncovered)),
    accounts.price(underlying, at) ?? option.strike,
    multiplier,
  );
}

function dollars(amount: Micro): string {
  return `${fromMicro(amount).toLocaleString('en-US', { maximumFractionDigits: 2 })} USD`;
}

function refused(status: 200 | 400, error: string): EntryAnswer {
  return { kind: 'refused', status, error };
}

/** How much worse than the market a limit may be without a question. */
const PRICE_GUARD = 0.1;
/** The same for options, whose premiums move in larger steps. */
const PREMIUM_GUARD = 0.5;
const QUESTION_LIFE_MS = 60_000;
