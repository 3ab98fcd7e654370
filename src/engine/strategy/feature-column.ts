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
import { combine } from './combine.ts';
import {
  type Feature,
  type Indicator,
  type Operand,
  PRICE_NAMES,
  type StrategyDefinition,
} from './definition.ts';
import { monthReturn } from './month-return.ts';
import { periodBars, spreadOverBars } from './period-bars.ts';

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
  if (definition.regime !== undefined) symbols.add(definition.regime.symbol);
  for (const feature of Object.values(definition.features)) {
    if (feature.symbol !== undefined) symbols.add(feature.symbol);
    if (feature.indicator === 'correlation') symbols.add(feature.with);
  }
  return [...symbols];
}

export type ColumnInputs = {
  readonly series: SeriesBySymbol;
  readonly periodsPerYear: number;
  /** Of the definition, by name: arithmetic reads them. */
  readonly features: StrategyDefinition['features'];
};

/** The feature over the bars of `own`; of another instrument it is the newest value known at each of these bars. */
export function featureColumn(feature: Feature, own: BarSeries, inputs: ColumnInputs): Float64Array {
  const source = feature.symbol === undefined ? own : seriesOf(inputs.series, feature.symbol);
  const column = columnOver(feature, source, inputs);
  return source === own ? column : alignTo(own, source, column);
}

/** Over the bars of its source, or over those of whole weeks or months. */
function columnOver(feature: Feature, source: BarSeries, inputs: ColumnInputs): Float64Array {
  const lag = feature.lag ?? 0;
  if (feature.every === undefined) return lagged(indicatorColumn(feature, source, inputs), lag);
  const { bars, lastOver } = periodBars(source, feature.every);
  const periodsPerYear = PERIODS_PER_YEAR[feature.every];
  return spreadOverBars(lagged(indicatorColumn(feature, bars, { ...inputs, periodsPerYear }), lag), lastOver);
}

const PERIODS_PER_YEAR = { week: 52, month: 12 } as const;

function operandColumn(operand: Operand, bars: BarSeries, inputs: ColumnInputs): Float64Array {
  if (typeof operand === 'number') return new Float64Array(bars.length).fill(operand);
  const feature = inputs.features[operand];
  if (feature !== undefined) return featureColumn(feature, bars, inputs);
  const price = PRICE_NAMES.find((name) => name === operand);
  if (price === undefined) throw new RangeError(`no such feature: ${operand}`);
  return bars[price];
}

function indicatorColumn(feature: Indicator, bars: BarSeries, inputs: ColumnInputs): Float64Array {
  const { series, periodsPerYear } = inputs;
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
    case 'turnover':
      return turnover(bars, feature.length);
    case 'combine': {
      const [left, right] = [feature.left, feature.right].map((one) => operandColumn(one, bars, inputs));
      return combine(feature.op, left!, right!);
    }
  }
}

/** Average of close × volume, in the currency of the instrument. A split changes both and leaves it as it is. */
export function turnover({ close, volume, length: bars }: BarSeries, length: number): Float64Array {
  const money = new Float64Array(bars);
  for (let i = 0; i < bars; i++) money[i] = close[i]! * volume[i]!;
  return sma(money, length);
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
