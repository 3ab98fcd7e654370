// Which kinds of idea a rule trades by, from what it reads: neither its numbers nor its symbols, its name or the order of
// its conditions matter, and a feature that no rule reads does not count. Two rules are of one kind when they have one of
// these in common, so that one more condition never makes a rule of another kind.
import type { Condition, Indicator, Operand, Rule, StrategyDefinition } from './definition.ts';
import { PRICE_NAMES } from './definition.ts';

export const RULE_KINDS = [
  'trend',
  'momentum',
  'reversion',
  'breakout',
  'volatility',
  'relation',
  'pairs',
  'model',
  'options',
  'price',
] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

const KIND_OF: Readonly<Record<Exclude<Indicator['indicator'], 'combine'>, RuleKind>> = {
  sma: 'trend',
  ema: 'trend',
  wma: 'trend',
  macd: 'trend',
  adx: 'trend',
  roc: 'momentum',
  month_return: 'momentum',
  rsi: 'reversion',
  stochastic: 'reversion',
  zscore: 'reversion',
  bollinger: 'reversion',
  highest: 'breakout',
  lowest: 'breakout',
  donchian: 'breakout',
  drawdown: 'breakout',
  atr: 'volatility',
  volatility: 'volatility',
  correlation: 'relation',
  turnover: 'price',
};

/** In the order of RULE_KINDS, at least one; 'price' where a rule reads nothing but prices. */
export function ruleKinds(definition: StrategyDefinition): readonly RuleKind[] {
  const { features, model, options } = definition;
  const found = new Set<RuleKind>(options === undefined ? [] : ['options']);
  if (definition.rule.type === 'pairs') found.add('pairs');
  if (definition.rule.type === 'decider') found.add('model');
  for (const name of namesRead(definition)) {
    if (name === model?.output) found.add('model');
    else for (const kind of kindsOf(name, features)) found.add(kind);
  }
  if (found.size === 0) found.add('price');
  return RULE_KINDS.filter((kind) => found.has(kind));
}

/** Arithmetic is of the kinds of what it reads. */
function kindsOf(name: string, features: StrategyDefinition['features']): readonly RuleKind[] {
  const feature = features[name];
  if (feature === undefined) return [];
  if (feature.indicator !== 'combine') return [KIND_OF[feature.indicator]];
  return [feature.left, feature.right].filter(isName).flatMap((one) => kindsOf(one, features));
}

/** A rule that counts in place of another, the condition between them and a size by conviction are read too: none of them hides a try. */
function namesRead({ rule, regime, weighting }: StrategyDefinition): readonly string[] {
  const sized = weighting.type === 'conviction' ? [weighting.by] : [];
  if (regime === undefined) return [...namesOf(rule), ...sized];
  const { when, otherwise } = regime;
  const other = otherwise.type === 'cash' ? [] : namesOf(otherwise);
  return [...namesOf(rule), ...namesIn(when), ...other, ...sized];
}

function namesOf(rule: Rule): readonly string[] {
  if (rule.type === 'pairs' || rule.type === 'decider') return [];
  if (rule.type === 'ranking') return [rule.by, ...(rule.where === undefined ? [] : namesIn(rule.where))];
  const conditions = [rule.enterLong, rule.exitLong, rule.enterShort, rule.exitShort];
  return conditions.flatMap((one) => (one === undefined ? [] : namesIn(one)));
}

function namesIn(condition: Condition): readonly string[] {
  if (condition.op === 'not') return namesIn(condition.of);
  if ('of' in condition) return condition.of.flatMap(namesIn);
  return [condition.left, condition.right].filter(isName);
}

function isName(operand: Operand): operand is string {
  return typeof operand === 'string' && !PRICE_NAMES.some((price) => price === operand);
}
