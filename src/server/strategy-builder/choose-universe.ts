import type { Instrument } from '#engine/market/instrument.ts';
import { type BuilderInput, usualStyle } from '#rules/strategy-builder/builder-input.ts';

export type Tradable = Pick<Instrument, 'symbol' | 'name' | 'kind' | 'expiry'>;

export type Universe = { readonly symbols: readonly string[]; readonly benchmark: string };

/** What the rules look at: the instruments that fit the asset class. Null without any. */
export function chooseUniverse(input: BuilderInput, instruments: readonly Tradable[]): Universe | null {
  const kind = input.assetClass === 'options' ? 'equity' : input.assetClass;
  // Futures are read as the continuous series of their root, which does not expire.
  const all = instruments.filter((one) => one.kind === kind && one.expiry === null);
  const funds = all.filter(isFund);
  const market = MARKET_FUNDS.find((symbol) => all.some((one) => one.symbol === symbol));
  const symbols = fitting(input, all, funds, market);
  if (symbols.length === 0) return null;
  return { symbols, benchmark: benchmarkOf(instruments, symbols) };
}

/** Indices by symbol; the first available one represents the market. */
const MARKET_FUNDS = ['BWMKT', 'SPY'];
const LARGEST_COINS = ['BTCUSD', 'ETHUSD'];
const MOST = 30;

function fitting(
  input: BuilderInput,
  all: readonly Tradable[],
  funds: readonly Tradable[],
  market: string | undefined,
): string[] {
  if (input.assetClass === 'options') return market === undefined ? all.slice(0, 1).map(symbolOf) : [market];
  if (input.assetClass === 'equity') {
    const isCalm = input.riskLevel === 'low' && usualStyle(input) === 'trend_following';
    const shares = all.filter((one) => !isFund(one));
    const fits = (isCalm && funds.length > 0) || shares.length === 0 ? funds : shares;
    return fits.slice(0, MOST).map(symbolOf);
  }
  if (input.assetClass === 'crypto' && input.riskLevel === 'low') {
    const large = all.map(symbolOf).filter((symbol) => LARGEST_COINS.includes(symbol));
    if (large.length > 0) return large;
  }
  return all.slice(0, MOST).map(symbolOf);
}

function benchmarkOf(instruments: readonly Tradable[], symbols: readonly string[]): string {
  const known = new Map(instruments.map((one) => [one.symbol as string, one.kind]));
  const kind = known.get(symbols[0]!);
  const preferred = kind === 'crypto' ? ['BTCUSD'] : kind === 'forex' ? [] : MARKET_FUNDS;
  return preferred.find((symbol) => known.has(symbol)) ?? symbols[0]!;
}

function isFund({ name }: Tradable): boolean {
  return /\b(?:fund|etf|trust)\b/i.test(name);
}

function symbolOf({ symbol }: Tradable): string {
  return symbol;
}
