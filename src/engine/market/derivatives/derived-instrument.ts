// Contracts that their symbols describe: an option of a known underlying, a month of a known root. Contracts are listed
// day by day; code with an older list can still tell what a new one is.
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { contractMonths } from './contract-months.ts';
import type { Instrument } from '../instrument.ts';
import { optionInstrument, parseOption } from '../option-contract.ts';

/** The instrument of a symbol: a known one, or the contract that it describes; null when it is neither. */
export function describedInstrument(
  symbol: Symbol,
  known: ReadonlyMap<Symbol, Instrument>,
): Instrument | null {
  const found = known.get(symbol);
  if (found !== undefined) return found;
  const option = parseOption(symbol);
  if (option !== null) return known.has(option.underlying) ? optionInstrument(option) : null;
  const [, rootSymbol, year] = FUTURE_SYMBOL.exec(symbol) ?? [];
  const root = rootSymbol === undefined ? undefined : known.get(rootSymbol as Symbol);
  if (root?.kind !== 'futures') return null;
  const month = contractMonths(root.symbol, `${year}-01-01` as IsoDate, 4).find(
    (one) => one.symbol === symbol,
  );
  return month === undefined ? null : { ...root, symbol, name: symbol, expiry: month.expiry };
}

const FUTURE_SYMBOL = /^([A-Z0-9-]+)\.(\d{4})[HMUZ]$/;
