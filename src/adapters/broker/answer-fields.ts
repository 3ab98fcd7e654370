// Reads a vendor's JSON, in which a number may come as 1300, "1300" or "1,300". Unreadable values throw Unreadable,
// which becomes a failure at the adapter's edge; in a list, a row that was not read (see list-rows).
import type { UnreadReason } from '#engine/execution/reconciliation/unread-rows.ts';
import type { BrokerAnswer } from '#ports/broker.ts';
import { failed } from './exchange.ts';

export class Unreadable extends Error {
  /** The part of a row that it is about. */
  readonly about: UnreadReason;

  constructor(message: string, about: UnreadReason = 'form') {
    super(message);
    this.about = about;
  }
}

/** Reads one part of a row; what cannot be read is about this part. */
export function part<Value>(about: UnreadReason, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) throw new Unreadable(error.message, about);
    throw error;
  }
}

/** RangeError comes from the units: an amount or an instant that cannot be represented. */
export function isUnreadable(error: unknown): error is Unreadable | RangeError {
  return error instanceof Unreadable || error instanceof RangeError;
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Unreadable(`${what} is not an object`);
  return value as Fields;
}

export function rowsOf(value: unknown, what: string): readonly Fields[] {
  if (!Array.isArray(value)) throw new Unreadable(`${what} is not a list`);
  return value.map((row) => fieldsOf(row, `a row of ${what}`));
}

/** The first of the named fields that holds a number. */
export function numberOf(fields: Fields, ...names: readonly string[]): number {
  for (const name of names) {
    const found = asNumber(fields[name]);
    if (found !== null) return found;
  }
  throw new Unreadable(`no number in ${names.join(' or ')}`);
}

export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim().replaceAll(',', '');
  // Only decimal numbers: neither '0x10' nor an empty text, both of which Number accepts.
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return null;
  const parsed = Number(text);
  return Number.isFinite(parsed) ? parsed : null;
}

/** An amount of money that may name its currency: '1.01' or '1.01 USD'. */
export function amountOf(value: unknown): number {
  const text = asText(value)?.trim() ?? '';
  const amount = asNumber(text.replace(/ ?[A-Z]{3}$/, ''));
  if (amount === null) throw new Unreadable(`no amount in '${text}'`);
  return amount;
}

/** Flags come as true, "true", 1 or "1"; any other value is ignored. */
export function asFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const text = asText(value)?.toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : null;
}

/** The first of the named fields that holds text, or a number as text. */
export function textOf(fields: Fields, ...names: readonly string[]): string {
  for (const name of names) {
    const found = asText(fields[name]);
    if (found !== null) return found;
  }
  throw new Unreadable(`no text in ${names.join(' or ')}`);
}

export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/** Runs a parser and turns Unreadable into a failure. */
export function reading<Value>(parse: () => Value): BrokerAnswer<Value> {
  try {
    return { outcome: 'ok', value: parse() };
  } catch (error) {
    if (isUnreadable(error))
      return failed('unreadable', `the broker's answer cannot be read: ${error.message}`);
    throw error;
  }
}
