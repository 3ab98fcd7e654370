// The prices that models learn from: the simulated market's years before the product's clock begins. They never change.
import { type BarSeries, barSeries } from '#engine/market/bar-series.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { withShareActions } from '#sandbox/market/share-actions.ts';
import { DEFAULT_SEED, simulatedMarket } from '#sandbox/market/simulated-market.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instantOfDate, type IsoDate } from '#units/instant.ts';

export type TrainingHistory = {
  readonly seed: number;
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  /** As quoted, with splits and dividends listed separately. */
  readonly series: ReadonlyMap<Symbol, BarSeries>;
};

export function trainingHistory(): TrainingHistory {
  const { instruments, dailyBars, actions } = withShareActions(simulatedMarket(DEFAULT_SEED));
  const asOf = instantOfDate(CLOCK_BEGINS);
  const range = { from: FIRST_DAY, to: LAST_DAY, asOf };
  const happened = (actions?.(asOf) ?? []).filter(({ exDate }) => exDate <= LAST_DAY);
  const seriesOf = (symbol: Symbol): BarSeries => ({
    ...barSeries(symbol, '1d', dailyBars(symbol, range)),
    actions: happened
      .filter((action) => action.symbol === symbol)
      .map(({ kind, exDate, amount }) => ({ kind, exDate, amount })),
  });
  return {
    seed: DEFAULT_SEED,
    instruments: new Map(instruments.map((instrument) => [instrument.symbol, instrument])),
    series: new Map(instruments.map(({ symbol }) => [symbol, seriesOf(symbol)])),
  };
}

const FIRST_DAY = '2013-01-02' as IsoDate;
const LAST_DAY = '2026-01-04' as IsoDate;
const CLOCK_BEGINS = '2026-01-05' as IsoDate;
