// A price as reported by the vendor's snapshots and its stream.
import type { BrokerQuote } from '#ports/broker.ts';
import type { Symbol } from '#units/identifiers.ts';
import { asNumber, asText, type Fields, Unreadable } from '../../answer-fields.ts';

/** Null while the vendor has no price. A price may have the prefix C (earlier session's close) or H (halted). */
export function parseQuote(row: Fields, symbol: Symbol): BrokerQuote | null {
  const text = asText(row['31']);
  const last = text === null ? null : asNumber(text.replace(/^[CH]/, ''));
  const bid = sideOf(row['84']);
  const ask = sideOf(row['86']);
  if (last === null && bid === null && ask === null) return null;
  for (const price of [last, bid, ask])
    if (price !== null && !(price > 0 && price < PRICE_MAX)) throw new Unreadable(`a price of ${price}`);
  return { symbol, last, bid, ask, status: statusOf(text ?? '', asText(row['6509']) ?? '') };
}

/** When there is no quote, the vendor's programs show 0 or -1. */
function sideOf(value: unknown): number | null {
  const price = asNumber(value);
  return price === 0 || price === -1 ? null : price;
}

/** Availability begins with R for real-time prices; D, Z and Y mark delayed or frozen ones. */
function statusOf(last: string, availability: string): BrokerQuote['status'] {
  if (last.startsWith('H')) return 'halted';
  if (last.startsWith('C')) return 'close';
  return availability.startsWith('R') ? 'live' : 'delayed';
}

/** 31 last, 84 bid, 86 ask, 6509 availability. */
export const QUOTE_FIELDS = ['31', '84', '86', '6509'] as const;
export const PRICE_MAX = 1e9;
