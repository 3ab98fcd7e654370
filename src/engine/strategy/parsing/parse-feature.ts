// One named feature of a strategy definition.
import type { Symbol } from '#units/identifiers.ts';
import { type Feature, type Indicator, type Operand, PERIODS, PRICE_NAMES } from '../definition.ts';
import { parseSymbol } from './parse-symbol.ts';
import { join, type Range, type Reader } from './reader.ts';

export function parseFeature(reader: Reader, value: unknown, path: string): Feature {
  const name = reader.oneOf(indicatorOf(value), join(path, 'indicator'), INDICATOR_NAMES);
  const own = name === 'combine' ? ['lag'] : ['symbol', 'lag', 'every'];
  const given = reader.fields(value, path, ['indicator', ...FIELDS[name], ...own]) ?? {};
  const indicator = parseIndicator(reader, name, { given, path });
  const symbol =
    given['symbol'] === undefined ? undefined : parseSymbol(reader, given['symbol'], join(path, 'symbol'));
  const lag = given['lag'] === undefined ? 0 : reader.whole(given['lag'], join(path, 'lag'), LAG);
  const every =
    given['every'] === undefined ? undefined : reader.oneOf(given['every'], join(path, 'every'), PERIODS);
  if (every !== undefined && BY_BARS_ONLY.has(name))
    reader.fail(join(path, 'every'), `is not known of ${name}: it counts bars or calendar months`);
  return {
    ...indicator,
    ...(symbol === undefined ? {} : { symbol }),
    ...(lag === 0 ? {} : { lag }),
    ...(every === undefined ? {} : { every }),
  };
}

/** Bars before the first value, at most: what bounds the cost of a definition. */
export function lookbackOf(feature: Feature): number {
  const bars = { week: 5, month: 23 };
  return feature.every === undefined ? barsBefore(feature) : (barsBefore(feature) + 1) * bars[feature.every];
}

function barsBefore(feature: Feature): number {
  const lag = feature.lag ?? 0;
  switch (feature.indicator) {
    case 'macd':
      return feature.slow + feature.signal + lag;
    case 'stochastic':
      return feature.length + feature.smooth + feature.signal + lag;
    case 'month_return':
      return 23 * (feature.months + feature.skip + 1) + lag;
    case 'adx':
      return 2 * feature.length + lag;
    case 'combine':
      return lag;
    default:
      return feature.length + lag;
  }
}

type Given = { readonly given: { readonly [name: string]: unknown }; readonly path: string };

function parseIndicator(reader: Reader, name: IndicatorName, { given, path }: Given): Indicator {
  const whole = (field: string, range: Range = LENGTH) =>
    reader.whole(given[field], join(path, field), range);
  const output = <Word extends string>(words: readonly Word[]) =>
    reader.oneOf(given['output'], join(path, 'output'), words);
  switch (name) {
    case 'sma':
    case 'ema':
    case 'wma':
    case 'zscore':
    case 'rsi':
    case 'roc':
    case 'highest':
    case 'lowest': {
      const of =
        given['of'] === undefined ? 'close' : reader.oneOf(given['of'], join(path, 'of'), PRICE_NAMES);
      return { indicator: name, length: whole('length'), ...(of === 'close' ? {} : { of }) };
    }
    case 'atr':
    case 'volatility':
    case 'drawdown':
      return { indicator: name, length: whole('length', { ...LENGTH, min: 2 }) };
    case 'turnover':
      return { indicator: name, length: whole('length') };
    case 'combine': {
      const op = reader.oneOf(given['op'], join(path, 'op'), ['difference', 'ratio', 'spread']);
      const operand = (side: string) => combined(reader, given[side], join(path, side));
      return { indicator: name, op, left: operand('left'), right: operand('right') };
    }
    case 'correlation': {
      const other: Symbol = parseSymbol(reader, given['with'], join(path, 'with'));
      return { indicator: name, length: whole('length', { ...LENGTH, min: 3 }), with: other };
    }
    case 'adx':
      return { indicator: name, length: whole('length'), output: output(['adx', 'plus_di', 'minus_di']) };
    case 'donchian':
      return { indicator: name, length: whole('length'), output: output(['upper', 'middle', 'lower']) };
    case 'bollinger': {
      const deviations = reader.number(given['deviations'], join(path, 'deviations'), { min: 0.1, max: 10 });
      return {
        indicator: name,
        length: whole('length'),
        deviations,
        output: output(['upper', 'middle', 'lower']),
      };
    }
    case 'macd':
      return {
        indicator: name,
        fast: whole('fast'),
        slow: whole('slow'),
        signal: whole('signal'),
        output: output(['line', 'signal', 'histogram']),
      };
    case 'stochastic':
      return {
        indicator: name,
        length: whole('length'),
        smooth: whole('smooth'),
        signal: whole('signal'),
        output: output(['k', 'd']),
      };
    case 'month_return':
      return {
        indicator: name,
        months: whole('months', { min: 1, max: 60 }),
        skip: whole('skip', { min: 0, max: 12 }),
      };
  }
}

/** Whether such a feature exists is seen once all are read: see units.ts. */
function combined(reader: Reader, value: unknown, path: string): Operand {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string' && value.length > 0 && value.length <= 40) return value;
  reader.fail(path, 'must be a number, a price or the name of a feature');
  return 0;
}

function indicatorOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'indicator' in value ? value.indicator : undefined;
}

/** Longest look-back of one indicator: about eight years of daily bars. */
const LENGTH: Range = { min: 1, max: 2_000 };
const LAG: Range = { min: 0, max: 1_000 };

/** Two instruments would each have their own weeks; a return over months knows them already. */
const BY_BARS_ONLY: ReadonlySet<string> = new Set(['correlation', 'month_return']);

type IndicatorName = Indicator['indicator'];

const FIELDS: { readonly [Name in IndicatorName]: readonly string[] } = {
  sma: ['length', 'of'],
  ema: ['length', 'of'],
  wma: ['length', 'of'],
  zscore: ['length', 'of'],
  rsi: ['length', 'of'],
  roc: ['length', 'of'],
  highest: ['length', 'of'],
  lowest: ['length', 'of'],
  atr: ['length'],
  volatility: ['length'],
  drawdown: ['length'],
  correlation: ['length', 'with'],
  adx: ['length', 'output'],
  donchian: ['length', 'output'],
  bollinger: ['length', 'deviations', 'output'],
  macd: ['fast', 'slow', 'signal', 'output'],
  stochastic: ['length', 'smooth', 'signal', 'output'],
  month_return: ['months', 'skip'],
  turnover: ['length'],
  combine: ['op', 'left', 'right'],
};

export const INDICATOR_NAMES = Object.keys(FIELDS) as IndicatorName[];
