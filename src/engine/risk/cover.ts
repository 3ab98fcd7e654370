// Cover for options, so that exercise and assignment never leave a debt of shares or of money: shares for written calls
// and held puts, the strike in cash for written puts.
import type { Symbol } from '#units/identifiers.ts';
import { type Micro, notional, ZERO_MICRO } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { Instrument } from '../market/instrument.ts';
import { parseOption } from '../market/option-contract.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';

/** The shares that a position of this sign may have to deliver; null when it has none to deliver. */
export function deliversShares(symbol: Symbol, position: number): Symbol | null {
  const option = parseOption(symbol);
  if (option === null) return null;
  return option.right === (position < 0 ? 'call' : 'put') ? option.underlying : null;
}

/** How many contracts the shares that are held cover, those of other contracts left out. */
export function coveredContracts(
  { positions }: Portfolio,
  instrument: Instrument,
  underlying: Symbol,
): Quantity {
  let free = positions.get(underlying)?.quantity ?? 0;
  for (const { symbol, quantity: held } of positions.values()) {
    const isOther = symbol !== instrument.symbol && deliversShares(symbol, held) === underlying;
    if (isOther) free -= Math.abs(held) * instrument.multiplier;
  }
  const step = instrument.quantityStep;
  return quantity(Math.floor(Math.max(0, free) / (instrument.multiplier * step)) * step);
}

/** Written calls without cover, because their shares were sold and the calls could not be bought back. */
export function uncoveredCalls(
  portfolio: Portfolio,
  instruments: ReadonlyMap<Symbol, Instrument>,
): { readonly symbol: Symbol; readonly contracts: Quantity }[] {
  const found: { symbol: Symbol; contracts: Quantity }[] = [];
  for (const { symbol, quantity: held } of portfolio.positions.values()) {
    const instrument = instruments.get(symbol)!;
    if (held > 0 || instrument.kind !== 'options') continue;
    const underlying = deliversShares(symbol, held);
    if (underlying === null) continue;
    const contracts = -held - coveredContracts(portfolio, instrument, underlying);
    if (contracts > 0) found.push({ symbol, contracts: quantity(contracts) });
  }
  return found;
}

/** The money that a written put may have to pay for its shares; nothing for all else. */
export function cashBehind(instrument: Instrument, position: number): Micro {
  const option = position < 0 ? parseOption(instrument.symbol) : null;
  if (option?.right !== 'put') return ZERO_MICRO;
  return notional(quantity(-position), option.strike, instrument.multiplier);
}
