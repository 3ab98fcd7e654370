// Bars as signals read them: splits taken out forwards, so that a later split never restates earlier data and a
// strategy's decision for a day never changes.
import { utcDate, type Instant } from '#units/instant.ts';
import { actionColumns } from './action-columns.ts';
import type { BarSeries } from './bar-series.ts';
import type { Symbol } from '#units/identifiers.ts';

/** The same series where there was no split. Rows stay the same, so that prices can be read row by row with the raw ones. */
export function signalBars(bars: BarSeries): BarSeries {
  const splits = (bars.actions ?? []).filter(({ kind }) => kind === 'split');
  if (splits.length === 0) return bars;
  const ratio = new Float64Array(bars.length).fill(1);
  for (let i = 0; i < bars.length; i++) {
    const date = utcDate((bars.closedAt[i]! - 1) as Instant);
    for (const split of splits) if (date >= split.exDate) ratio[i]! *= split.amount;
  }
  const times = (column: Float64Array) => column.map((value, i) => value * ratio[i]!);
  return {
    ...bars,
    open: times(bars.open),
    high: times(bars.high),
    low: times(bars.low),
    close: times(bars.close),
    volume: bars.volume.map((value, i) => value / ratio[i]!),
  };
}

/** The same map where there was no split at all. */
export function signalSeries(series: ReadonlyMap<Symbol, BarSeries>): ReadonlyMap<Symbol, BarSeries> {
  for (const { actions } of series.values()) {
    if (actions !== undefined && actionColumns(actions).hasSplit) {
      return new Map([...series].map(([symbol, bars]) => [symbol, signalBars(bars)]));
    }
  }
  return series;
}
