// A feature as a column over its instrument's own bars: NaN until it is defined, and never from a later bar.
import type { Symbol } from '#units/identifiers.ts';
import { adx } from '../indicators/adx.ts';
import { atr } from '../indicators/atr.ts';
import { bollinger } from '../indicators/bollinger.ts';
import { donchian } from '../indicators/donchian.ts';
import { drawdown } from '../indicators/drawdown.ts';
import { ema } from '../indicators/averages/ema.ts';
import { highest, lowest } from '../indicators/highest-lowest.ts';
import { macd } from '../indicators/averages/macd.ts';
import { roc } from '../indicators/roc.ts';
import { rollingCorrelation } from '../indicators/rolling-correlation.ts';
import { rsi } from '../indicators/rsi.ts';
import { sma } from '../indicators/averages/sma.ts';
import { stochastic } from '../indicators/stochastic.ts';
import { volatility } from '../indicators/volatility.ts';
import { wma } from '../indicators/averages/wma.ts';
import { zScore } from '../indicators/z-score.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { alignTo } from './align.ts';
import type { Feature, Indicator, StrategyDefinition } from './definition.ts';
import { monthReturn } from './month-return.ts';

export type SeriesBySymbol = ReadonlyMap<Symbol, BarSeries>;

/** The series of a symbol. Throws RangeError when none was given: a missing series is not an empty one. */
export function seriesOf(series: SeriesBySymbol, symbol: Symbol): BarSeries {
  const found = series.get(symbol);
  if (found === undefined) throw new RangeError(`no bars given for ${symbol}`);
  return found;
}

/** Every symbol whose bars a definition reads, except the benchmark. */
export function symbolsRead(definition: StrategyDefinition): readonly Symbol[] {
  const symbols = new Set<Symbol>(definition.universe);
  for (const feature of Object.values(definition.features)) {
    if (feature.symbol !== undefined) symbols.add(feature.symbol);
    if (feature.indicator === 'correlation') symbols.add(feature.with);
  }
  return [...symbols];
}

/** The feature over the bars of `own`; of another instrument it is the newest value known at each of these bars. */
export function featureColumn(
  feature: Feature,
  own: BarSeries,
  { series, periodsPerYear }: { readonly series: SeriesBySymbol; readonly periodsPerYear: number },
): Float64Array {
  const source = feature.symbol === undefined ? own : seriesOf(series, feature.symbol);
  const column = lagged(indicatorColumn(feature, source, { series, periodsPerYear }), feature.lag ?? 0);
  return source === own ? column : alignTo(own, source, column);
}

function indicatorColumn(
  feature: Indicator,
  bars: BarSeries,
  { series, periodsPerYear }: { readonly series: SeriesBySymbol; readonly periodsPerYear: number },
): Float64Array {
  switch (feature.indicator) {
    case 'sma':
      return sma(bars[feature.of ?? 'close'], feature.length);
    case 'ema':
      return ema(bars[feature.of ?? 'close'], feature.length);
    case 'wma':
      return wma(bars[feature.of ?? 'close'], feature.length);
    case 'zscore':
      return zScore(bars[feature.of ?? 'close'], feature.length);
    case 'rsi':
      return rsi(bars[feature.of ?? 'close'], feature.length);
    case 'roc':
      return roc(bars[feature.of ?? 'close'], feature.length);
    case 'highest':
      return highest(bars[feature.of ?? 'close'], feature.length);
    case 'lowest':
      return lowest(bars[feature.of ?? 'close'], feature.length);
    case 'atr':
      return atr(bars, feature.length);
    case 'drawdown':
      return drawdown(bars.close, feature.length);
    case 'volatility':
      return annualVolatility(bars, feature.length, periodsPerYear);
    case 'correlation': {
      const other = seriesOf(series, feature.with);
      const returns = alignTo(bars, other, other.close);
      return rollingCorrelation(roc(bars.close, 1), roc(returns, 1), feature.length);
    }
    case 'donchian':
      return donchian(bars, feature.length, 'prior')[feature.output];
    case 'bollinger':
      return bollinger(bars.close, feature.length, feature.deviations)[feature.output];
    case 'adx': {
      const { adx: average, plusDi, minusDi } = adx(bars, feature.length);
      return { adx: average, plus_di: plusDi, minus_di: minusDi }[feature.output];
    }
    case 'macd': {
      const { macd: line, signal, histogram } = macd(bars.close, feature);
      return { line, signal, histogram }[feature.output];
    }
    case 'stochastic': {
      const { length: lookback, smooth, signal } = feature;
      return stochastic(bars, { lookback, smooth, signal })[feature.output];
    }
    case 'month_return':
      return monthReturn(bars, feature);
  }
}

/** Sample standard deviation of the last `length` simple returns × square root of the bars in a year. */
export function annualVolatility(bars: BarSeries, length: number, periodsPerYear: number): Float64Array {
  const column = volatility(bars.close, length);
  const year = Math.sqrt(periodsPerYear * (bars.barsPerDay ?? 1));
  for (let i = 0; i < column.length; i++) column[i] = column[i]! * year;
  return column;
}

function lagged(column: Float64Array, lag: number): Float64Array {
  if (lag === 0) return column;
  const result = new Float64Array(column.length).fill(Number.NaN);
  result.set(column.subarray(0, Math.max(0, column.length - lag)), Math.min(lag, column.length));
  return result;
}
