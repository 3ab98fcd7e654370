// One order from ticket to final answer.
import type { Instrument } from '#engine/market/instrument.ts';
import { parseOption } from '#engine/market/option-contract.ts';
import type { ApprovedOrder } from '#engine/order/order.ts';
import type { SubmitResult } from '#ports/broker.ts';
import { quantityText } from '#units/quantity.ts';
import { asText } from '../answer-fields.ts';
import type { Exchange } from '../exchange.ts';
import type { Priority } from '../rate-limits.ts';
import { plainText } from '#units/plain-text.ts';
import { meaningOf } from '../vendor-texts.ts';
import { codeOf, type Connection, failureOf, messageOf } from './connection.ts';
import { pairOf } from './coins.ts';
import { refusalOf } from './refusals.ts';

export async function submitOrder(
  connection: Connection,
  order: ApprovedOrder,
  {
    instrument,
    ticker,
    stopPrice = null,
    mayLeave,
  }: {
    readonly instrument: Instrument | null;
    /** What the broker calls it today. */
    readonly ticker: string;
    readonly stopPrice?: number | null;
    readonly mayLeave?: (() => boolean) | undefined;
  },
): Promise<SubmitResult> {
  if (!instrument)
    return { outcome: 'not_sent', code: 'refused', reason: `${order.symbol} is not in the catalogue` };
  const isCoin = instrument.kind === 'crypto';
  const isTraded = TRADED.has(instrument.kind) && !isSettledInCash(order.symbol);
  // The vendor has no stop for coins or options that goes to the market.
  if (!isTraded || (stopPrice !== null && instrument.kind !== 'equity'))
    return {
      outcome: 'not_sent',
      code: 'refused',
      reason: `this broker takes no ${stopPrice === null ? 'orders' : 'stops'} for ${order.symbol}`,
    };
  const priority: Priority =
    order.purpose === 'rebalance' || order.purpose === 'protective' ? 'open' : 'liquidate';
  const price = (value: number) => value.toFixed(instrument.priceDecimals);
  const result = await connection.send({
    method: 'POST',
    path: '/v2/orders',
    json: {
      symbol: isCoin ? pairOf(instrument) : ticker,
      qty: quantityText(order.quantity),
      side: order.side,
      client_order_id: order.clientOrderId,
      ...(stopPrice === null
        ? { type: 'limit', limit_price: price(order.limitPrice) }
        : { type: 'stop', stop_price: price(stopPrice) }),
      // It has no day orders for coins: those that outlive their day are cancelled.
      time_in_force: isCoin ? 'gtc' : 'day',
    },
    priority,
    mayLeave,
  });
  return conclude(result, order);
}

const TRADED: ReadonlySet<Instrument['kind']> = new Set(['equity', 'crypto', 'options']);

/** Options on an index, which the vendor does not list. */
function isSettledInCash(symbol: ApprovedOrder['symbol']): boolean {
  return parseOption(symbol)?.settlement === 'cash';
}

/** Only an answer that clearly refers to this order counts. */
export function conclude(result: Exchange, order: Pick<ApprovedOrder, 'clientOrderId'>): SubmitResult {
  if (result.kind === 'not_sent') return { outcome: 'not_sent', code: result.code, reason: result.reason };
  if (result.kind === 'lost') return { outcome: 'unknown', reason: result.reason };
  const failure = failureOf(result);
  if (failure === null) return concludeSuccess(result.body, order);
  if (failure.code === 'unauthorized' || failure.code === 'rate_limited')
    return { outcome: 'not_sent', code: failure.code, reason: failure.reason, wasTurnedAway: true };
  const said = messageOf(result);
  if (failure.code !== 'refused' || said === null) return { outcome: 'unknown', reason: failure.reason };
  if (meaningOf('alpaca', said) === 'duplicate_order')
    return { outcome: 'unknown', reason: `the broker already has an order with this id: ${said}` };
  const refusal = result.kind === 'answered' ? refusalOf(codeOf(result), said) : null;
  return { outcome: 'rejected', said: plainText(said), ...(refusal && { refusal }) };
}

function concludeSuccess(
  body: unknown,
  { clientOrderId }: Pick<ApprovedOrder, 'clientOrderId'>,
): SubmitResult {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const id = asText(fields.id);
  if (id === null || fields.client_order_id !== clientOrderId)
    return { outcome: 'unknown', reason: 'the broker answered with something that is no order answer' };
  if (fields.status === 'rejected') return { outcome: 'rejected', said: '' };
  return { outcome: 'accepted', brokerOrderId: id };
}
