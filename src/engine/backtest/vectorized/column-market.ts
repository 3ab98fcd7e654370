// The prices and terms of a whole universe as arrays, for the backtest by columns; and which backtests it can run.
import type { BacktestInput } from '../settings.ts';
import type { TradingCosts } from '../../market/costs.ts';
import type { Instrument } from '../../market/instrument.ts';
import { KIND_RULES } from '../../market/kinds/rules-of.ts';
import type { Prepared } from '../../strategy/prepare.ts';

export type ColumnMarket = {
  readonly width: number;
  readonly instruments: readonly Instrument[];
  readonly open: readonly Float64Array[];
  readonly high: readonly Float64Array[];
  readonly low: readonly Float64Array[];
  readonly close: readonly Float64Array[];
  readonly costs: TradingCosts;
  readonly collar: number;
  readonly noTradeBand: number;
};

/**
 * Null unless every instrument settles in cash in dollars, one unit a unit, has a bar at every row, and the person
 * sets no limits. Everything else runs by events.
 */
export function columnMarket(input: BacktestInput, prepared: Prepared): ColumnMarket | null {
  if (!hasQuietNights(input)) return null;
  const { instruments, settings } = input;
  const { limits, costs, collar, noTradeBand } = settings;
  if (settings.orders === 'market' || settings.units !== undefined) return null;
  if (limits.stopLossPercent > 0 || limits.maxAllocationPercent > 0 || limits.freezeOnDrawdownPercent > 0) {
    return null;
  }
  const known: Instrument[] = [];
  for (const { symbol, barOfRow } of prepared.instruments) {
    const instrument = instruments.get(symbol);
    if (instrument === undefined || barOfRow !== null || !isPlain(instrument)) return null;
    known.push(instrument);
  }
  const bars = prepared.instruments.map((one) => one.bars);
  return {
    width: known.length,
    instruments: known,
    open: bars.map((one) => one.open),
    high: bars.map((one) => one.high),
    low: bars.map((one) => one.low),
    close: bars.map((one) => one.close),
    costs,
    collar,
    noTradeBand,
  };
}

function isPlain({ kind, currency, settlement, multiplier, expiry }: Instrument): boolean {
  const spot = kind === 'equity' || kind === 'crypto';
  return spot && currency === 'USD' && settlement === 'cash' && multiplier === 1 && expiry === null;
}

/** Whether nothing ever happens to a holding between two sessions. */
function hasQuietNights({ definition, instruments, series }: BacktestInput): boolean {
  if (definition.options !== undefined) return false;
  return definition.universe.every((symbol) => {
    const kind = instruments.get(symbol)?.kind ?? 'equity';
    if (kind === 'equity') return !series.get(symbol)?.actions?.length;
    return KIND_RULES[kind].overnight === null;
  });
}
