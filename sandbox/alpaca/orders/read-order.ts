// The order in a request to the stand-in for Alpaca, or what is wrong with it in the vendor's words.
import { randomUUID } from 'node:crypto';
import type { Instrument } from '#engine/market/instrument.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import { quantityText, toQuantity } from '#units/quantity.ts';
import type { PriceSource } from '../../market/price-source.ts';
import { instrumentNamed } from './instrument-named.ts';
import type { Account, NewOrder } from './order.ts';

export function readOrder(
  fields: Record<string, unknown>,
  account: Account,
  prices: PriceSource,
): NewOrder | string {
  const instrument = instrumentNamed(prices, fields.symbol);
  if (instrument === null || !TRADED.has(instrument.kind))
    return `asset "${String(fields.symbol)}" not found`;
  const { side, type, time_in_force: timeInForce } = fields;
  if (side !== 'buy' && side !== 'sell') return 'invalid side';
  if (type !== 'limit' && type !== 'market' && type !== 'stop' && type !== 'stop_limit')
    return 'invalid order type';
  if (timeInForce !== 'day' && timeInForce !== 'gtc' && timeInForce !== 'ioc') return 'invalid time_in_force';
  const isCoin = instrument.kind === 'crypto';
  const isOption = instrument.kind === 'options';
  if (isOption && parseOption(instrument.symbol)?.settlement !== 'shares')
    return `asset "${String(fields.symbol)}" not found`;
  if (isOption && (timeInForce !== 'day' || (type !== 'limit' && type !== 'market')))
    return 'invalid order type or time_in_force for options order';
  if (isOption && !Number.isInteger(Number(fields.qty))) return 'qty must be an integer for options orders';
  if (isCoin && timeInForce === 'day') return 'invalid crypto time_in_force';
  if (isCoin && type === 'stop') return 'invalid order type for crypto order';
  const notional = fields.notional === undefined || fields.notional === null ? null : Number(fields.notional);
  if (notional !== null && fields.qty !== undefined) return 'only one of qty or notional is accepted';
  if (notional !== null && (type !== 'market' || !(notional >= 1))) return 'notional must be >= 1';
  const units = notional === null ? Number(fields.qty) : 1;
  if (!(units > 0)) return 'qty must be > 0';
  const limit = type === 'limit' || type === 'stop_limit' ? Number(fields.limit_price) : null;
  const stop = type === 'stop' || type === 'stop_limit' ? Number(fields.stop_price) : null;
  if (limit !== null && !(limit > 0)) return 'limit orders require a limit price';
  if (stop !== null && !(stop > 0)) return 'stop orders require a stop price';
  for (const [name, price] of [
    ['limit_price', limit],
    ['stop_price', stop],
  ] as const)
    if (price !== null && isCoin && Number(price.toFixed(instrument.priceDecimals)) !== price)
      return `invalid ${name} ${price}. increment does not fulfill minimum pricing criteria`;
    else if (price !== null && instrument.kind === 'equity' && isSubPenny(price))
      return `invalid ${name} ${price}. sub-penny increment does not fulfill minimum pricing criteria`;
  // It gives an order without an id one of its own.
  const clientOrderId = String(fields.client_order_id ?? randomUUID());
  if (clientOrderId.length > 128) return 'client_order_id must be no more than 128 characters';
  const quantity = toQuantity(units);
  if (isCoin && notional === null && side === 'buy' && quantity < instrument.quantityStep)
    return `qty must be >= ${quantityText(instrument.quantityStep)}`;
  return { account, clientOrderId, instrument, side, type, limit, stop, timeInForce, notional, quantity };
}

function isSubPenny(price: number): boolean {
  const decimals = price >= 1 ? 2 : 4;
  return Number(price.toFixed(decimals)) !== price;
}

const TRADED: ReadonlySet<Instrument['kind']> = new Set(['equity', 'crypto', 'options']);
