// The prices that models learn from: the simulated market's years before the product's clock begins. The same for ever.
import { type BarSeries, barSeries } from '#engine/market/bar-series.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instantOfDate, type IsoDate } from '#units/instant.ts';

export type TrainingHistory = {
  readonly seed: number;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  readonly series: ReadonlyMap<Symbol, BarSeries>;
};

export function trainingHistory(): TrainingHistory {
  const { instruments, dailyBars } = simulatedMarket(DEFAULT_SEED);
  const range = { from: FIRST_DAY, to: LAST_DAY, asOf: instantOfDate(CLOCK_BEGINS) };
  return {
    seed: DEFAULT_SEED,
    instruments: new Map(instruments.map((instrument) => [instrument.symbol, instrument])),
    series: new Map(
      instruments.map(({ symbol }) => [symbol, barSeries(symbol, '1d', dailyBars(symbol, range))]),
    ),
  };
}

const FIRST_DAY = '2013-01-02' as IsoDate;
const LAST_DAY = '2026-01-04' as IsoDate;
const CLOCK_BEGINS = '2026-01-05' as IsoDate;
