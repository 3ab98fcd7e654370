// How a research run trades, read from data: what it does not say is free of cost and filled at the next open.
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { type DefinitionError, Reader } from '../strategy/reader.ts';
import type { Execution } from './execution.ts';

export type ParsedExecution =
  | { readonly ok: true; readonly execution: Execution }
  | { readonly ok: false; readonly errors: readonly DefinitionError[] };

/** Dollars and units in natural numbers: { initialCash: 10000, commissionRate: 0.001, size: { units: 100 } }. */
export function parseExecution(value: unknown): ParsedExecution {
  const reader = new Reader();
  const given = reader.fields(value, '', FIELDS) ?? {};
  const rate = { min: 0, max: 0.1 };
  const execution: Execution = {
    initialCash: toMicro(reader.number(given['initialCash'], 'initialCash', { min: 1, max: 1e9 })),
    commissionRate: reader.number(given['commissionRate'] ?? 0, 'commissionRate', rate),
    spreadRate: reader.number(given['spreadRate'] ?? 0, 'spreadRate', rate),
    fill: reader.oneOf(given['fill'] ?? 'next_open', 'fill', ['next_open', 'same_close']),
    size: parseSize(reader, given['size'] ?? 'all_cash'),
    repeatedSignal: reader.oneOf(given['repeatedSignal'] ?? 'ignored', 'repeatedSignal', [
      'ignored',
      'reopens',
    ]),
  };
  return reader.errors.length === 0 ? { ok: true, execution } : { ok: false, errors: reader.errors };
}

function parseSize(reader: Reader, value: unknown): Execution['size'] {
  if (value === 'all_cash') return { type: 'all_cash' };
  if (typeof value !== 'object') {
    reader.fail('size', "must be 'all_cash' or an object with the units to trade");
    return { type: 'all_cash' };
  }
  const given = reader.fields(value, 'size', ['units']) ?? {};
  const units = reader.number(given['units'], 'size.units', { min: 1e-8, max: 9e7 });
  return { type: 'fixed', quantity: toQuantity(units) };
}

const FIELDS = ['initialCash', 'commissionRate', 'spreadRate', 'fill', 'size', 'repeatedSignal'];
