// The vendor's live orders and trades, row by row.
import type { Side } from '#engine/order/order.ts';
import type { BrokerOrderStatus } from '#ports/broker.ts';
import type { BrokerAccountId, ClientOrderId, ExecutionId } from '#units/identifiers.ts';
import { type Instant, instant } from '#units/instant.ts';
import { type Micro, toMicro } from '#units/money.ts';
import { type Quantity, quantity, toQuantity } from '#units/quantity.ts';
import {
  asNumber,
  asText,
  type Fields,
  fieldsOf,
  numberOf,
  rowsOf,
  textOf,
  Unreadable,
} from '../answer-fields.ts';

/** How the vendor names an instrument in a row. */
export type VendorInstrument = { readonly conid: string; readonly name: string; readonly secType: string };

export type OrderRow = {
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

export type OrderList = { readonly rows: readonly OrderRow[]; readonly snapshot: boolean };

export function parseOrders(body: unknown): OrderList {
  const answer = fieldsOf(body, 'the order list');
  return {
    rows: rowsOf(answer.orders, 'the order list').map(parseOrder),
    snapshot: answer.snapshot === true,
  };
}

function parseOrder(row: Fields): OrderRow {
  const note = asText(row.order_cancellation_by_system_reason) ?? '';
  const ordered = positive(toQuantity(numberOf(row, 'totalSize')));
  const filled = toQuantity(numberOf(row, 'filledQuantity'));
  if (filled < 0 || filled > ordered) throw new Unreadable(`${filled} filled of ${ordered}`);
  return {
    account: asText(row.acct ?? row.account) as BrokerAccountId | null,
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

/** One order as the vendor writes it where it is asked for alone: other names for most fields. */
export function parseOrderStatus(body: unknown): OrderRow {
  const row = fieldsOf(body, 'the order');
  return parseOrder({
    ...row,
    orderId: row.order_id,
    totalSize: row.total_size ?? row.size,
    filledQuantity: row.cum_fill ?? row.filled_quantity,
    status: row.order_status,
    price: asNumber(row.price) === 0 ? null : (row.price ?? row.limit_price),
    auxPrice: row.stop_price ?? row.aux_price,
    origOrderType: row.order_type,
    secType: row.sec_type,
  });
}

/** A stop's price stands in `auxPrice`, or in `price` where there is no limit beside it. */
function pricesOf(row: Fields): Pick<OrderRow, 'limitPrice' | 'stopPrice'> {
  const type = (asText(row.origOrderType) ?? asText(row.orderType) ?? '').toUpperCase();
  const price = asNumber(row.price);
  if (!/^STO?P/.test(type)) return { limitPrice: price, stopPrice: null };
  const stopPrice = asNumber(row.auxPrice) ?? asNumber(row.stop_price) ?? price;
  return { limitPrice: /LIMIT|LMT/.test(type) ? price : null, stopPrice };
}

/** A day order that nobody filled ends as Cancelled too, told apart by the system's reason. */
function parseStatus(status: string, note: string): BrokerOrderStatus {
  switch (status) {
    case 'PendingSubmit':
    case 'PreSubmitted':
    case 'Submitted':
    case 'PendingCancel':
    case 'WarnState':
      return 'working';
    case 'Filled':
      return 'filled';
    case 'Cancelled':
      return /expire/i.test(note) ? 'expired' : 'cancelled';
    case 'Inactive':
      return note === '' ? 'attention' : 'rejected';
    default:
      throw new Unreadable(`unknown order status '${status}'`);
  }
}

export type TradeRow = {
  readonly account: BrokerAccountId;
  readonly executionId: ExecutionId;
  readonly clientOrderId: ClientOrderId | null;
  readonly brokerOrderId: string;
  readonly instrument: VendorInstrument;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: number;
  readonly commission: Micro;
  readonly at: Instant;
};

export function parseTrades(body: unknown): readonly TradeRow[] {
  return rowsOf(body, 'the trade list').map((row) => {
    const price = numberOf(row, 'price');
    if (!(price > 0 && price < PRICE_MAX)) throw new Unreadable(`a trade at a price of ${price}`);
    const commission = Math.abs(numberOf(row, 'commission'));
    if (commission > COMMISSION_MAX) throw new Unreadable(`a commission of ${commission}`);
    return {
      account: textOf(row, 'account', 'accountCode') as BrokerAccountId,
      executionId: textOf(row, 'execution_id') as ExecutionId,
      clientOrderId: asText(row.order_ref) as ClientOrderId | null,
      brokerOrderId: textOf(row, 'order_id'),
      instrument: instrumentOf(row),
      side: parseSide(row.side),
      quantity: positive(toQuantity(numberOf(row, 'size'))),
      price,
      commission: toMicro(commission),
      at: parseTradeTime(row),
    };
  });
}

function parseTradeTime(row: Fields): Instant {
  const ms = asNumber(row.trade_time_r);
  if (ms !== null) return sane(instant(ms));
  const match = /^(\d{4})(\d{2})(\d{2})-(\d{2}):(\d{2}):(\d{2})$/.exec(textOf(row, 'trade_time'));
  if (!match) throw new Unreadable('a trade without a time');
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  return sane(instant(Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)));
}

function sane(at: Instant): Instant {
  if (at < TIME_MIN || at > TIME_MAX) throw new Unreadable(`a trade at the instant ${at}`);
  return at;
}

/** Currency pairs are named 'AUD.CAD' in one field and 'AUD' in another; the one with the dot says more. */
function instrumentOf(row: Fields): VendorInstrument {
  const secType = asText(row.secType ?? row.sec_type ?? row.assetClass) ?? '';
  const names = [row.description1, row.contract_description_1, row.ticker, row.symbol, row.contractDesc]
    .map(asText)
    .filter((name) => name !== null);
  const name = names.find((candidate) => secType === 'CASH' && candidate.includes('.')) ?? names[0] ?? '';
  return { conid: textOf(row, 'conid', 'conidex', 'conidEx').replace(/@.*$/, ''), name, secType };
}

function parseSide(value: unknown): Side {
  switch (value) {
    case 'B':
    case 'BUY':
    case 'BOT':
      return 'buy';
    case 'S':
    case 'SELL':
    case 'SLD':
      return 'sell';
    default:
      throw new Unreadable(`unknown side '${String(value)}'`);
  }
}

function positive(value: Quantity): Quantity {
  if (value === 0) throw new Unreadable('a quantity of zero');
  return quantity(Math.abs(value));
}

/** Beyond these a number is no price, no commission and no time of a trade. */
const PRICE_MAX = 1e9;
const COMMISSION_MAX = 1e6;
const TIME_MIN = Date.UTC(2000, 0, 1);
const TIME_MAX = Date.UTC(2100, 0, 1);
