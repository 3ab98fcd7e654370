// The vendor's accounts, positions, orders and fills. Numbers come as text.
import type {
  BrokerAccount,
  BrokerCash,
  BrokerExecution,
  BrokerOrder,
  BrokerOrderStatus,
  BrokerPosition,
} from '#ports/broker.ts';
import type { BrokerAccountId, ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { type Instant } from '#units/instant.ts';
import { toMicro, ZERO_MICRO } from '#units/money.ts';
import { quantity, toQuantity } from '#units/quantity.ts';
import {
  asNumber,
  asText,
  type Fields,
  fieldsOf,
  numberOf,
  part,
  textOf,
  Unreadable,
} from '../answer-fields.ts';
import { coinsHeld } from './coins.ts';
import { type Envelope, type ListRows, readRows } from '../list-rows.ts';
import { marketInstantOf, parseWallInstant } from '#units/wall-instant.ts';

export type Known = (symbol: string) => Symbol | null;

export function parseAccount(body: unknown): Required<BrokerAccount> & BrokerCash {
  const fields = fieldsOf(body, 'the account');
  const accountId = textOf(fields, 'account_number') as BrokerAccountId;
  return {
    accountId,
    title: accountId,
    // The numbers of paper accounts begin with PA.
    isPaper: accountId.startsWith('PA'),
    currency: textOf(fields, 'currency'),
    cash: toMicro(numberOf(fields, 'cash')),
    netLiquidation: toMicro(numberOf(fields, 'equity', 'portfolio_value')),
  };
}

/** What a row says about itself; every row is of the one account that the permission is for. */
export function envelopeOf(row: Fields): Envelope<AlpacaInstrument> {
  const name = asText(row.symbol);
  const isFill = row.activity_type !== undefined || row.order_id !== undefined;
  return {
    account: null,
    clientOrderId: asText(row.client_order_id) as ClientOrderId | null,
    brokerOrderId: isFill ? asText(row.order_id) : asText(row.id),
    executionId: isFill ? (asText(row.id) as ExecutionId | null) : null,
    instrument: name === null ? null : { name, id: asText(row.asset_id) },
  };
}

export type AlpacaInstrument = { readonly name: string; readonly id: string | null };

export function parsePositions(body: unknown, known: Known): ListRows<BrokerPosition, AlpacaInstrument> {
  return readRows(body, 'the position list', { envelopeOf, parse: (row) => parsePosition(row, known) });
}

function parsePosition(row: Fields, known: Known): BrokerPosition | null {
  const symbol = part('instrument', () => textOf(row, 'symbol'));
  const isCoin = row.asset_class === 'crypto';
  const units = part('quantity', () =>
    isCoin ? coinsHeld(textOf(row, 'qty')) : toQuantity(Math.abs(numberOf(row, 'qty'))),
  );
  // Less than an order can have.
  if (units === 0 && isCoin && numberOf(row, 'qty') > 0) return null;
  if (units === 0) throw new Unreadable('a position of nothing', 'quantity');
  return {
    symbol: known(symbol),
    brokerInstrumentId: part('instrument', () => textOf(row, 'asset_id')),
    description: symbol,
    quantity: quantity(row.side === 'short' ? -units : units),
    averagePrice: asNumber(row.avg_entry_price),
    marketPrice: asNumber(row.current_price),
    currency: 'USD',
  };
}

export function parseOrders(body: unknown, known: Known): ListRows<BrokerOrder, AlpacaInstrument> {
  return readRows(body, 'the order list', {
    envelopeOf,
    parse: (row) => (isOfOwner(row) ? null : parseOrder(row, known)),
  });
}

/**
 * An order over an amount of money has no quantity, and one of several legs has no instrument of its own: we send neither,
 * so that it is its owner's. What it trades shows in the fills.
 */
function isOfOwner(row: Fields): boolean {
  const isOverMoney = row.qty === null && asNumber(row.notional) !== null;
  return isOverMoney || (row.order_class === 'mleg' && asText(row.symbol) === null);
}

export function parseOrder(value: unknown, known: Known): BrokerOrder {
  const row = fieldsOf(value, 'an order');
  const [ordered, filled] = part('quantity', () => [
    toQuantity(numberOf(row, 'qty')),
    toQuantity(numberOf(row, 'filled_qty')),
  ]);
  if (!(ordered > 0 && filled >= 0)) throw new Unreadable(`${filled} filled of ${ordered}`, 'quantity');
  const status = part('status', () => textOf(row, 'status'));
  return {
    brokerOrderId: part('id', () => textOf(row, 'id')),
    clientOrderId: asText(row.client_order_id) as ClientOrderId | null,
    symbol: known(part('instrument', () => textOf(row, 'symbol'))),
    brokerInstrumentId: part('instrument', () => textOf(row, 'asset_id')),
    side: sideOf(row),
    quantity: ordered,
    filled,
    limitPrice: asNumber(row.limit_price),
    stopPrice: asNumber(row.stop_price),
    status: statusOf(status),
    note: statusOf(status) === 'attention' ? status : '',
  };
}

export type FillRow = Omit<BrokerExecution, 'clientOrderId' | 'brokerInstrumentId'> & {
  readonly name: string;
};

export function parseFills(body: unknown, known: Known): ListRows<FillRow, AlpacaInstrument> {
  return readRows(body, 'the activity list', { envelopeOf, parse: (row) => parseFill(row, known) });
}

function parseFill(row: Fields, known: Known): FillRow {
  const units = part('quantity', () => toQuantity(numberOf(row, 'qty')));
  if (!(units > 0)) throw new Unreadable('a fill of nothing', 'quantity');
  const name = part('instrument', () => textOf(row, 'symbol'));
  return {
    executionId: part('id', () => textOf(row, 'id')) as ExecutionId,
    brokerOrderId: part('id', () => textOf(row, 'order_id')),
    name,
    symbol: known(name),
    side: sideOf(row),
    quantity: units,
    price: part('price', () => priceOf(row)),
    // The vendor charges none for shares; regulatory fees come as a separate activity at the end of the day.
    commission: ZERO_MICRO,
    at: part('time', () => timeOf(row)),
  };
}

function timeOf(row: Fields): Instant {
  const at = marketInstantOf(parseWallInstant(textOf(row, 'transaction_time')));
  if (at < TIME_MIN || at > TIME_MAX) throw new Unreadable(`a fill at the instant ${at}`);
  return at;
}

/** Zero and negative where it says so. */
function priceOf(row: Fields): number {
  const price = numberOf(row, 'price');
  if (Math.abs(price) >= PRICE_MAX) throw new Unreadable(`a price of ${price}`);
  return price;
}

function sideOf(row: Fields): BrokerOrder['side'] {
  switch (row.side) {
    case 'buy':
      return 'buy';
    case 'sell':
    case 'sell_short':
      return 'sell';
    default:
      throw new Unreadable(`unknown side '${asText(row.side) ?? 'none'}'`, 'side');
  }
}

function statusOf(status: string): BrokerOrderStatus {
  const ours = STATUSES[status];
  if (ours === undefined) throw new Unreadable(`unknown order status '${status}'`, 'status');
  return ours;
}

/** A replaced order continues under another id, which we did not request: staff must check it. */
const STATUSES: Readonly<Record<string, BrokerOrderStatus>> = {
  new: 'working',
  accepted: 'working',
  pending_new: 'working',
  accepted_for_bidding: 'working',
  partially_filled: 'working',
  done_for_day: 'working',
  pending_cancel: 'working',
  pending_replace: 'working',
  stopped: 'working',
  calculated: 'working',
  held: 'attention',
  suspended: 'attention',
  replaced: 'attention',
  filled: 'filled',
  canceled: 'cancelled',
  expired: 'expired',
  rejected: 'rejected',
};

const PRICE_MAX = 1e9;
const TIME_MIN = Date.UTC(2000, 0, 1);
const TIME_MAX = Date.UTC(2100, 0, 1);
