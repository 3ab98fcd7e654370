// The vendor's live orders and trades, row by row.
import type { Side } from '#engine/order/order.ts';
import type { BrokerOrderStatus } from '#ports/broker.ts';
import type { BrokerAccountId, ClientOrderId, ExecutionId } from '#units/identifiers.ts';
import { type Instant } from '#units/instant.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { type Quantity, quantity, toQuantity } from '#units/quantity.ts';
import {
  asFlag,
  asNumber,
  asText,
  type Fields,
  fieldsOf,
  numberOf,
  rowsOf,
  textOf,
  Unreadable,
} from '../../answer-fields.ts';
import { marketInstantOf, wallInstant } from '#units/wall-instant.ts';

/** How the vendor names an instrument in a row. */
export type VendorInstrument = { readonly conid: string; readonly name: string; readonly secType: string };

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

type OrderList = { readonly rows: readonly OrderRow[]; readonly snapshot: boolean };

export function parseOrders(body: unknown): OrderList {
  const answer = fieldsOf(body, 'the order list');
  return {
    rows: rowsOf(answer.orders, 'the order list').map(parseOrder),
    snapshot: asFlag(answer.snapshot) === true,
  };
}

function parseOrder(row: Fields): OrderRow {
  const note = asText(row.order_cancellation_by_system_reason) ?? '';
  const filled = toQuantity(numberOf(row, 'filledQuantity'));
  const ordered = orderedOf(row, filled);
  if (filled < 0 || filled > ordered) throw new Unreadable(`${filled} filled of ${ordered}`);
  return {
    account: (asText(row.acct) ?? asText(row.account)) as BrokerAccountId | null,
    brokerOrderId: textOf(row, 'orderId', 'order_id'),
    clientOrderId: asText(row.order_ref) as ClientOrderId | null,
    instrument: instrumentOf(row),
    side: parseSide(row.side),
    quantity: ordered,
    filled,
    ...pricesOf(row),
    status: parseStatus(textOf(row, 'status'), note),
    note,
  };
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

/** An unfilled day order also ends as Cancelled; the system's reason distinguishes it. */
function parseStatus(status: string, note: string): BrokerOrderStatus {
  // The vendor's filters spell the same status pre_submitted.
  switch (status.replaceAll(/[_ ]/g, '').toLowerCase()) {
    case 'pendingsubmit':
    case 'presubmitted':
    case 'submitted':
    case 'pendingcancel':
    case 'warnstate':
      return 'working';
    case 'filled':
      return 'filled';
    case 'cancelled':
    case 'canceled':
      return /expire/i.test(note) ? 'expired' : 'cancelled';
    case 'inactive':
      return note === '' ? 'attention' : 'rejected';
    default:
      throw new Unreadable(`unknown order status '${status}'`);
  }
}

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

export function parseTrades(body: unknown): readonly TradeRow[] {
  return rowsOf(body, 'the trade list').map(parseTrade);
}

function parseTrade(row: Fields): TradeRow {
  const executionId = textOf(row, 'execution_id') as ExecutionId;
  const [, revisionStem = null, revision = 1] = REVISED.exec(executionId) ?? [];
  const size = toQuantity(numberOf(row, 'size'));
  const isTakenBack = size === 0 && Number(revision) > 1;
  const price = numberOf(row, 'price');
  if (!(price > 0 && price < PRICE_MAX) && !isTakenBack)
    throw new Unreadable(`a trade at a price of ${price}`);
  return {
    account: textOf(row, 'account', 'accountCode', 'acctId', 'acct') as BrokerAccountId,
    executionId,
    revisionStem,
    clientOrderId: asText(row.order_ref) as ClientOrderId | null,
    brokerOrderId: textOf(row, 'order_id'),
    instrument: instrumentOf(row),
    side: parseSide(row.side),
    quantity: isTakenBack ? size : positive(size),
    price,
    commission: parseCommission(row),
    at: parseTradeTime(row),
  };
}

/** A new execution has no commission yet: the field is missing, empty or -1. Another negative amount is a rebate. */
function parseCommission(row: Fields): Micro | null {
  if ((row.commission ?? '') === '') return null;
  const commission = numberOf(row, 'commission');
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

/** Currency pairs are named 'AUD.CAD' in one field and 'AUD' in another; the one with the dot is complete. */
function instrumentOf(row: Fields): VendorInstrument {
  const secType = asText(row.secType ?? row.sec_type ?? row.assetClass) ?? '';
  const names = [row.description1, row.contract_description_1, row.ticker, row.symbol, row.contractDesc]
    .map(asText)
    .filter((name) => name !== null);
  const name = names.find((candidate) => secType === 'CASH' && candidate.includes('.')) ?? names[0] ?? '';
  return { conid: textOf(row, 'conid', 'conidex', 'conidEx').replace(/@.*$/, ''), name, secType };
}

function parseSide(value: unknown): Side {
  const reported = asText(value)?.toUpperCase();
  switch (reported) {
    case 'B':
    case 'BUY':
    case 'BOT':
    case 'BOUGHT':
      return 'buy';
    case 'S':
    case 'SELL':
    case 'SLD':
    case 'SOLD':
      return 'sell';
    default:
      throw new Unreadable(reported === undefined ? 'no side' : `unknown side '${reported}'`);
  }
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
