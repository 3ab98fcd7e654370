// A frame of the vendor's stream of order events. Paper accounts get it in binary frames and others in text, both of JSON.
import type { ClientOrderId } from '#units/identifiers.ts';
import { type Instant } from '#units/instant.ts';
import { marketInstantOf, parseWallInstant } from '#units/wall-instant.ts';
import { asText, type Fields, fieldsOf, reading, textOf } from '../../answer-fields.ts';

export type TradeFrame =
  | { readonly kind: 'authorized' }
  | { readonly kind: 'unauthorized' }
  /** The vendor sends the events of this account's orders from now on. */
  | { readonly kind: 'listening' }
  | {
      readonly kind: 'fill';
      readonly brokerOrderId: string;
      readonly clientOrderId: ClientOrderId | null;
      readonly at: Instant;
    }
  /** Another event of an order, or one that cannot be read: something has changed. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'other' };

export function parseTradeFrame(text: string): TradeFrame {
  const read = reading(() => {
    const frame = fieldsOf(parseJson(text), 'a frame');
    return { stream: asText(frame.stream), data: fieldsOf(frame.data, 'the data of a frame') };
  });
  if (read.outcome === 'failed') return { kind: 'changed' };
  const { stream, data } = read.value;
  switch (stream) {
    case 'authorization':
      return { kind: data.status === 'authorized' ? 'authorized' : 'unauthorized' };
    case 'listening':
      return Array.isArray(data.streams) && data.streams.includes('trade_updates')
        ? { kind: 'listening' }
        : { kind: 'unauthorized' };
    case 'trade_updates':
      return updateOf(data);
    default:
      return { kind: 'other' };
  }
}

function updateOf(data: Fields): TradeFrame {
  if (data.event !== 'fill' && data.event !== 'partial_fill') return { kind: 'changed' };
  const read = reading((): TradeFrame => {
    const order = fieldsOf(data.order, 'the order of a frame');
    return {
      kind: 'fill',
      brokerOrderId: textOf(order, 'id'),
      clientOrderId: asText(order.client_order_id) as ClientOrderId | null,
      at: marketInstantOf(parseWallInstant(textOf(data, 'timestamp'))),
    };
  });
  return read.outcome === 'ok' ? read.value : { kind: 'changed' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
