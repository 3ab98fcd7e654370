// The vendor's live orders and trades, row by row.
import type { Side } from '#engine/order/order.ts';
import type { BrokerOrderStatus } from '#ports/broker.ts';
import type { BrokerAccountId, ClientOrderId, ExecutionId } from '#units/identifiers.ts';
import { type Instant } from '#units/instant.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { type Quantity, quantity, toQuantity, ZERO_QUANTITY } from '#units/quantity.ts';
import {
  amountOf,
  asFlag,
  asNumber,
  asText,
  type Fields,
  fieldsOf,
  numberOf,
  part,
  textOf,
  Unreadable,
} from '../../answer-fields.ts';
import { type ListRows, readRows } from '../../list-rows.ts';
import { plainText } from '#units/plain-text.ts';
import { accountOf, envelopeOf, instrumentOf, parseSide, type VendorInstrument } from './vendor-row.ts';
import { marketInstantOf, wallInstant } from '#units/wall-instant.ts';

type OrderRow = {
  readonly account: BrokerAccountId | null;
  readonly brokerOrderId: string;
  readonly clientOrderId: ClientOrderId | null;
  readonly instrument: VendorInstrument;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly filled: Quantity;
  readonly limitPrice: number | null;
  readonly stopPrice: number | null;
  readonly status: BrokerOrderStatus;
  readonly note: string;
};

type OrderList = ListRows<OrderRow, VendorInstrument> & { readonly snapshot: boolean };

export function parseOrders(body: unknown): OrderList {
  const answer = fieldsOf(body, 'the order list');
  return {
    ...readRows(answer.orders, 'the order list', { envelopeOf, parse: parseOrder }),
    snapshot: asFlag(answer.snapshot) === true,
  };
}

function parseOrder(row: Fields): OrderRow {
  const because = asText(row.order_cancellation_by_system_reason) ?? '';
  const brokerOrderId = part('id', () => textOf(row, 'orderId', 'order_id'));
  const instrument = instrumentOf(row);
  const side = parseSide(row.side);
  const status = parseStatus(
    part('status', () => textOf(row, 'status')),
    because,
  );
  const amounts = part('quantity', () => amountsOf(row, status));
  return {
    account: accountOf(row),
    brokerOrderId,
    clientOrderId: asText(row.order_ref) as ClientOrderId | null,
    instrument,
    side,
    ...amounts,
    ...pricesOf(row),
    status,
    note: plainText(because),
  };
}

/** More filled than ordered is a fact, not a fault of the row. */
function amountsOf(row: Fields, status: BrokerOrderStatus): Pick<OrderRow, 'quantity' | 'filled'> {
  const reported = asNumber(row.filledQuantity);
  const filled = reported === null ? filledWithout(row, status) : toQuantity(reported);
  if (filled < 0) throw new Unreadable(`${filled} filled`);
  return { quantity: orderedOf(row, filled), filled };
}

/** Without it, what is ordered and does not remain. Of an order that has ended, nothing is assumed. */
function filledWithout(row: Fields, status: BrokerOrderStatus): Quantity {
  const [total, remaining] = [asNumber(row.totalSize), asNumber(row.remainingQuantity)];
  if (total !== null && remaining !== null) return toQuantity(total - remaining);
  if (status !== 'working' && status !== 'attention')
    throw new Unreadable('an end without a filled quantity');
  return ZERO_QUANTITY;
}

/**
 * An order for a cash amount, as people enter in the vendor's own programs, has no size until it has filled: we take the
 * filled plus the reported remaining quantity, and the smallest quantity when neither is given.
 */
function orderedOf(row: Fields, filled: Quantity): Quantity {
  const reported = asNumber(row.totalSize);
  if (reported !== null && reported !== 0) return positive(toQuantity(reported));
  if (!((asNumber(row.totalCashSize) ?? 0) > 0)) throw new Unreadable('an order without a size');
  return quantity(Math.max(1, filled + toQuantity(Math.max(0, asNumber(row.remainingQuantity) ?? 0))));
}

/** One order as the single-order endpoint returns it, with different names for most fields. */
export function parseOrderStatus(body: unknown): OrderRow {
  const row = fieldsOf(body, 'the order');
  return parseOrder({
    ...row,
    orderId: row.order_id,
    // `size` is the remaining quantity, but in some answers the total.
    totalSize: row.total_size,
    totalCashSize: row.total_cash_size,
    filledQuantity: asNumber(row.cum_fill) ?? row.filled_quantity,
    remainingQuantity: row.remaining_quantity,
    status: row.order_status,
    price: priceOf(row.price) ?? row.limit_price,
    auxPrice: priceOf(row.stop_price) ?? row.aux_price,
    origOrderType: row.order_type,
    secType: row.sec_type,
  });
}

/** A stop's price is in `auxPrice`, or in `price` when there is no limit price. */
function pricesOf(row: Fields): Pick<OrderRow, 'limitPrice' | 'stopPrice'> {
  const type = (asText(row.origOrderType) ?? asText(row.orderType) ?? '').toUpperCase();
  const price = priceOf(row.price);
  if (!/^STO?P/.test(type)) return { limitPrice: price, stopPrice: null };
  const stopPrice = priceOf(row.auxPrice) ?? priceOf(row.stop_price) ?? price;
  return { limitPrice: /LIMIT|LMT/.test(type) ? price : null, stopPrice };
}

/** When an order has no such price, the field is empty, missing or zero. */
function priceOf(value: unknown): number | null {
  const price = asNumber(value);
  return price === 0 ? null : price;
}

/** The vendor writes the same status in several ways: PreSubmitted, pre_submitted. */
function parseStatus(status: string, note: string): BrokerOrderStatus {
  const ours = STATUSES[status.replaceAll(/[_ ]/g, '').toLowerCase()];
  if (ours === undefined) throw new Unreadable(`unknown order status '${status}'`, 'status');
  // The system gives a reason when it refused the order, and none when it parked it.
  return ours === 'attention' && note !== '' ? 'rejected' : ours;
}

/** Of the Web API, and of the vendor's other programs, whose orders the list shows too. An expiry is a cancellation. */
const STATUSES: Readonly<Record<string, BrokerOrderStatus>> = {
  apipending: 'working',
  pendingsubmit: 'working',
  presubmitted: 'working',
  submitted: 'working',
  pendingcancel: 'working',
  warnstate: 'working',
  filled: 'filled',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  apicancelled: 'cancelled',
  expired: 'expired',
  rejected: 'rejected',
  inactive: 'attention',
  unknown: 'attention',
};

type TradeRow = {
  readonly account: BrokerAccountId;
  readonly executionId: ExecutionId;
  readonly revisionStem: string | null;
  readonly clientOrderId: ClientOrderId | null;
  readonly brokerOrderId: string;
  readonly instrument: VendorInstrument;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: number;
  readonly commission: Micro | null;
  readonly at: Instant;
};

export function parseTrades(body: unknown): ListRows<TradeRow, VendorInstrument> {
  return readRows(body, 'the trade list', { envelopeOf, parse: parseTrade });
}

function parseTrade(row: Fields): TradeRow {
  const account = accountOf(row);
  if (account === null) throw new Unreadable('a trade of no account', 'account');
  const executionId = part('id', () => textOf(row, 'execution_id')) as ExecutionId;
  const [, revisionStem = null, revision = 1] = REVISED.exec(executionId) ?? [];
  const size = part('quantity', () => toQuantity(numberOf(row, 'size')));
  const isTakenBack = size === 0 && Number(revision) > 1;
  const price = part('price', () => numberOf(row, 'price'));
  if (Math.abs(price) >= PRICE_MAX) throw new Unreadable(`a trade at a price of ${price}`, 'price');
  return {
    account,
    executionId,
    revisionStem,
    clientOrderId: asText(row.order_ref) as ClientOrderId | null,
    brokerOrderId: part('id', () => textOf(row, 'order_id')),
    instrument: instrumentOf(row),
    side: parseSide(row.side),
    quantity: isTakenBack ? size : part('quantity', () => positive(size)),
    price,
    commission: part('commission', () => parseCommission(row)),
    at: part('time', () => parseTradeTime(row)),
  };
}

/** A new execution has no commission yet: the field is missing, empty or -1. Another negative amount is a rebate. */
function parseCommission(row: Fields): Micro | null {
  if ((row.commission ?? '') === '') return null;
  const commission = amountOf(row.commission);
  if (Math.abs(commission) > COMMISSION_MAX) throw new Unreadable(`a commission of ${commission}`);
  return commission === NOT_KNOWN_YET ? null : toMicro(commission);
}

const NOT_KNOWN_YET = -1;

function parseTradeTime(row: Fields): Instant {
  const ms = asNumber(row.trade_time_r);
  if (ms !== null) return sane(ms);
  const reported = textOf(row, 'trade_time');
  const match = /^(\d{4})(\d{2})(\d{2})[- ](\d{2}:\d{2}:\d{2})$/.exec(reported);
  const at = match === null ? Number.NaN : Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}Z`);
  if (Number.isNaN(at)) throw new Unreadable(`a trade at '${reported}'`);
  return sane(at);
}

function sane(at: number): Instant {
  if (at < TIME_MIN || at > TIME_MAX) throw new Unreadable(`a trade at the instant ${at}`);
  return marketInstantOf(wallInstant(at));
}

/** 0000e0d5.6478d2b1.01.01: a correction increments the last group and leaves the others unchanged. */
const REVISED = /^([\da-f]+\.[\da-f]+\.\d+\.)(\d+)$/i;

function positive(value: Quantity): Quantity {
  if (value === 0) throw new Unreadable('a quantity of zero');
  return quantity(Math.abs(value));
}

/** Beyond these bounds, a number is not a valid price, commission or trade time. */
const PRICE_MAX = 1e9;
const COMMISSION_MAX = 1e6;
const TIME_MIN = Date.UTC(2000, 0, 1);
const TIME_MAX = Date.UTC(2100, 0, 1);
