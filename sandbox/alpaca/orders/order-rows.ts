// Orders and fills of the stand-in for Alpaca, as the vendor shows them: amounts as text.
import type { Instrument } from '#engine/market/instrument.ts';
import { isoText } from '#units/instant.ts';
import { quantityText } from '#units/quantity.ts';
import type { Fill, Order } from './order.ts';
import { nameOf } from './instrument-named.ts';

export function assetId(symbol: string): string {
  return `asset-${symbol}`;
}

export function assetClass({ kind }: Pick<Instrument, 'kind'>): string {
  return kind === 'crypto' ? 'crypto' : kind === 'options' ? 'us_option' : 'us_equity';
}

export function orderRow(order: Order) {
  const at = isoText(order.submittedAt);
  return {
    id: order.id,
    client_order_id: order.clientOrderId,
    created_at: at,
    submitted_at: at,
    asset_id: assetId(order.instrument.symbol),
    symbol: nameOf(order.instrument),
    asset_class: assetClass(order.instrument),
    notional: order.notional === null ? null : String(order.notional),
    qty: order.notional === null ? quantityText(order.quantity) : null,
    filled_qty: quantityText(order.filled),
    order_class: '',
    type: order.type,
    side: order.side,
    time_in_force: order.timeInForce,
    limit_price: order.limit === null ? null : String(order.limit),
    stop_price: order.stop === null ? null : String(order.stop),
    status: order.status,
    extended_hours: false,
  };
}

export function fillRow({ id, order, quantity, price, leaves, cumulative, at }: Fill) {
  return {
    id,
    activity_type: 'FILL',
    transaction_time: isoText(at),
    type: leaves === 0 ? 'fill' : 'partial_fill',
    price: String(price),
    qty: quantityText(quantity),
    side: order.side,
    symbol: nameOf(order.instrument),
    leaves_qty: quantityText(leaves),
    order_id: order.id,
    cum_qty: quantityText(cumulative),
  };
}
