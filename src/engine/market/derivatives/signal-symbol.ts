import type { Symbol } from '#units/identifiers.ts';
import { parseOption } from '../option-contract.ts';

/** The instrument that a strategy reads for what it trades: of an option its underlying, of a contract month its root. */
export function signalSymbol(symbol: Symbol): Symbol {
  const option = parseOption(symbol);
  if (option !== null) return option.underlying;
  return symbol.replace(CONTRACT_MONTH, '') as Symbol;
}

const CONTRACT_MONTH = /\.\d{4}[HMUZ]$/;
