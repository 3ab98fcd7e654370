// An instrument's symbol inside a strategy definition.
import type { Symbol } from '#units/identifiers.ts';
import type { Reader } from './reader.ts';

export function parseSymbol(reader: Reader, value: unknown, path: string): Symbol {
  if (typeof value === 'string' && SYMBOL.test(value)) return value as Symbol;
  reader.fail(path, 'must be a symbol: 1 to 20 capital letters, digits, dots or hyphens');
  return '' as Symbol;
}

const SYMBOL = /^[A-Z0-9][A-Z0-9.-]{0,19}$/;
