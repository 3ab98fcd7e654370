// Rows of the practice books in the words of the port. One row that cannot be read spoils no other.
import type { UnreadList, UnreadRow } from '#engine/execution/reconciliation/unread-rows.ts';
import type { BrokerExecution, BrokerList, BrokerOrder, BrokerOrderStatus } from '#ports/broker.ts';
import type { Side } from '#engine/order/order.ts';
import type { ClientOrderId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import { parseMicro } from '#units/money.ts';
import { parseQuantity } from '#units/quantity.ts';
import {
  asNumber,
  asText,
  type Fields,
  numberOf,
  part,
  reading,
  textOf,
  Unreadable,
} from '../answer-fields.ts';
import { type Envelope, readRows, unreadRow } from '../list-rows.ts';

export type Known = (symbol: string) => Symbol | null;

export function parseOrders(rows: unknown, known: Known): BrokerList<BrokerOrder> {
  return list('orders', rows, known, (row) => parseOrder(row, known));
}

export function parseExecutions(rows: unknown, known: Known): BrokerList<BrokerExecution> {
  return list('executions', rows, known, (row) => parseExecution(row, known));
}

export function parseOrder(row: Fields, known: Known): BrokerOrder {
  const [quantity, filled] = part('quantity', () => [
    parseQuantity(textOf(row, 'quantity')),
    parseQuantity(textOf(row, 'filled_quantity')),
  ]);
  const symbol = part('instrument', () => textOf(row, 'symbol'));
  const status = STATUSES.find((one) => one === row.status);
  if (status === undefined) throw new Unreadable('an unknown status', 'status');
  return {
    brokerOrderId: part('id', () => textOf(row, 'broker_order_id')),
    clientOrderId: asText(row.client_order_id) as ClientOrderId | null,
    symbol: known(symbol),
    brokerInstrumentId: symbol,
    side: sideOf(row),
    quantity,
    filled,
    limitPrice: asNumber(row.limit_price),
    stopPrice: asNumber(row.stop_price),
    status,
    note: '',
  };
}

function parseExecution(row: Fields, known: Known): BrokerExecution {
  const symbol = part('instrument', () => textOf(row, 'symbol'));
  return {
    executionId: part('id', () => textOf(row, 'execution_id')) as ExecutionId,
    brokerOrderId: part('id', () => textOf(row, 'broker_order_id')),
    clientOrderId: asText(row.client_order_id) as ClientOrderId | null,
    symbol: known(symbol),
    brokerInstrumentId: symbol,
    side: sideOf(row),
    quantity: part('quantity', () => parseQuantity(textOf(row, 'quantity'))),
    price: part('price', () => numberOf(row, 'price')),
    commission: part('commission', () => parseMicro(textOf(row, 'commission_micro'))),
    at: part('time', () => parseInstant(row.at instanceof Date ? row.at : textOf(row, 'at'))),
  };
}

function sideOf({ side }: Fields): Side {
  if (side === 'buy' || side === 'sell') return side;
  throw new Unreadable('an unknown side', 'side');
}

function list<Row>(
  what: UnreadList,
  value: unknown,
  known: Known,
  parse: (row: Fields) => Row,
): BrokerList<Row> {
  const read = reading(() => readRows(value, what, { envelopeOf, parse }));
  if (read.outcome === 'failed') return read;
  const unread: UnreadRow[] = read.value.spoilt.map(({ instrument, ...row }) => {
    const symbol = instrument === null ? null : known(instrument);
    if (instrument === null) return unreadRow(what, row, { type: 'unread' });
    return unreadRow(
      what,
      row,
      symbol === null ? { type: 'not_listed', name: instrument } : { type: 'listed', symbol },
    );
  });
  return { outcome: 'ok', value: read.value.rows, unread };
}

function envelopeOf(row: Fields): Envelope<string> {
  return {
    account: null,
    clientOrderId: asText(row.client_order_id) as ClientOrderId | null,
    brokerOrderId: asText(row.broker_order_id),
    executionId: asText(row.execution_id) as ExecutionId | null,
    instrument: asText(row.symbol),
  };
}

const STATUSES = [
  'working',
  'filled',
  'cancelled',
  'expired',
] as const satisfies readonly BrokerOrderStatus[];
