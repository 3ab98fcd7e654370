// What the parts of a rule measure, in words: of a definition as a whole, and of one decision.
import type { Feature, Operand, Period, StrategyDefinition } from '#engine/strategy/definition.ts';

/** What a feature measures, such as '200-day average'. */
export function featureWords(feature: Feature, features: StrategyDefinition['features'] = {}): string {
  const words = indicatorWords(feature, features);
  const unit = feature.every ?? 'day';
  const counted = unit === 'day' ? words : inPeriods(words, unit);
  const late = feature.lag
    ? `, ${feature.lag} ${unit}${feature.lag === 1 && unit !== 'day' ? '' : 's'} before`
    : '';
  return `${counted}${late}${feature.symbol ? ` of ${feature.symbol}` : ''}`;
}

/** The same words counting whole weeks or months. */
function skipped(months: number): string {
  if (months === 0) return '';
  return months === 1 ? ', skipping the latest one' : `, skipping the latest ${months}`;
}

function inPeriods(words: string, unit: Period): string {
  return words.replaceAll('-day ', `-${unit} `).replace(/ days\b/g, ` whole ${unit}s`);
}

export const COMPARISON_WORDS = {
  above: 'is above',
  below: 'is below',
  at_least: 'is at least',
  at_most: 'is at most',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
} as const;

export type NamedColumns = Pick<StrategyDefinition, 'features' | 'model'>;

export function operandWords(operand: Operand, { features, model }: NamedColumns): string {
  if (typeof operand === 'number') return String(operand);
  if (model?.output === operand) return 'the model’s score';
  const feature = features[operand];
  return feature ? `the ${featureWords(feature, features)}` : `the ${operand}`;
}

function indicatorWords(feature: Feature, features: StrategyDefinition['features']): string {
  switch (feature.indicator) {
    case 'sma':
      // Of another instrument, a price is read as an average of one day.
      return feature.length === 1 ? (feature.of ?? 'close') : `${feature.length}-day average`;
    case 'ema':
    case 'wma':
      return `${feature.length}-day weighted average`;
    case 'roc':
      return `change over ${feature.length} days`;
    case 'rsi':
      return `relative strength index over ${feature.length} days`;
    case 'zscore':
      return `distance from the ${feature.length}-day average in standard deviations`;
    case 'highest':
      return `highest price of ${feature.length} days`;
    case 'lowest':
      return `lowest price of ${feature.length} days`;
    case 'volatility':
      return `volatility of ${feature.length} days`;
    case 'drawdown':
      return `distance below the highest close of ${feature.length} days`;
    case 'atr':
      return `average true range of ${feature.length} days`;
    case 'donchian':
      return `${{ upper: 'highest', middle: 'middle', lower: 'lowest' }[feature.output]} price of the ${feature.length} days before`;
    case 'bollinger':
      return `${feature.output} band, ${feature.deviations} deviations around the ${feature.length}-day average`;
    case 'month_return':
      return `change over ${feature.months} months${skipped(feature.skip)}`;
    case 'correlation':
      return `${feature.length}-day correlation with ${feature.with}`;
    case 'adx':
      return `directional movement over ${feature.length} days`;
    case 'macd':
      return `MACD ${feature.output} of ${feature.fast}, ${feature.slow} and ${feature.signal} days`;
    case 'stochastic':
      return `stochastic over ${feature.length} days`;
    case 'turnover':
      return `average turnover of ${feature.length} days`;
    case 'combine': {
      const [left, right] = [feature.left, feature.right].map((one) => operandWords(one, { features }));
      if (feature.op === 'ratio') return `ratio of ${left} to ${right}`;
      if (feature.op === 'difference') return `difference of ${left} and ${right}`;
      return `distance of ${left} from ${right}`;
    }
  }
}
