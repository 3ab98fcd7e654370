// The definitions next to a given one: the same idea with its lengths, thresholds and numbers of holdings a little
// other. A result that its neighbours do not share was probably chosen by luck. Promises distinct definitions that
// parse, the same ones in the same order for the same definition.
import type {
  Basket,
  Condition,
  Feature,
  Operand,
  Regime,
  Rule,
  StrategyDefinition,
} from '../strategy/definition.ts';
import { definitionHash } from '../strategy/definition-hash.ts';
import { parseDefinition } from '../strategy/parsing/parse-definition.ts';

export function neighbours(definition: StrategyDefinition): readonly StrategyDefinition[] {
  // Other numbers would be other questions, and nobody asked them.
  if (definition.rule.type === 'decider') return [];
  const seen = new Set([definitionHash(definition)]);
  const found: StrategyDefinition[] = [];
  for (const change of CHANGES) {
    const parsed = parseDefinition(JSON.parse(JSON.stringify(changed(definition, change))));
    if (!parsed.ok) continue;
    const hash = definitionHash(parsed.definition);
    if (seen.has(hash)) continue;
    seen.add(hash);
    found.push(parsed.definition);
  }
  return found;
}

type Change = {
  readonly lengths: number;
  readonly thresholds: number;
  readonly holdings: number;
  /** Percentage points that options are struck further up. */
  readonly strike: number;
};

const SAME: Change = { lengths: 1, thresholds: 1, holdings: 1, strike: 0 };

/**
 * Lengths from half to double; a tenth and a quarter more or less demanding; a quarter more or fewer held; options
 * struck one and two percent nearer or further.
 */
const CHANGES: readonly Change[] = [
  ...[1 / 2, 2 / 3, 4 / 5, 9 / 10, 11 / 10, 5 / 4, 3 / 2, 2].map((lengths) => ({ ...SAME, lengths })),
  { ...SAME, thresholds: 0.9, holdings: 0.75 },
  { ...SAME, thresholds: 1.1, holdings: 1.25 },
  { ...SAME, lengths: 4 / 5, thresholds: 1.1, holdings: 1.25 },
  { ...SAME, lengths: 5 / 4, thresholds: 0.9, holdings: 0.75 },
  ...[-2, -1, 1, 2].map((strike) => ({ ...SAME, strike })),
];

function changed(definition: StrategyDefinition, change: Change): StrategyDefinition {
  const { features, rule, weighting, regime, basket, options } = definition;
  // A model was trained on its inputs as they are.
  const fixed = new Set('model' in definition ? modelInputs(definition.model) : []);
  return {
    ...definition,
    features: Object.fromEntries(
      Object.entries(features).map(([name, feature]) => [
        name,
        fixed.has(name) ? feature : changedFeature(feature, change.lengths),
      ]),
    ),
    rule: changedRule(rule, change),
    weighting:
      'length' in weighting ? { ...weighting, length: scaled(weighting.length, change.lengths) } : weighting,
    ...(regime && { regime: changedRegime(regime, change) }),
    ...(basket && { basket: changedBasket(basket, change) }),
    ...(options && { options: { ...options, strikePercent: options.strikePercent + change.strike } }),
  };
}

function changedRegime(regime: Regime, change: Change): Regime {
  const { when, otherwise } = regime;
  return {
    ...regime,
    when: changedCondition(when, change.thresholds),
    otherwise:
      otherwise.type === 'cash' ? otherwise : (changedRule(otherwise, change) as Regime['otherwise']),
  };
}

function changedBasket(basket: Basket, { lengths, holdings }: Change): Basket {
  return { ...basket, length: scaled(basket.length, lengths), most: scaled(basket.most, holdings) };
}

function changedFeature(feature: Feature, by: number): Feature {
  const numbers = Object.entries(feature).map(([key, value]) => [
    key,
    LENGTHS.has(key) && typeof value === 'number' ? scaled(value, by) : (value as unknown),
  ]);
  return Object.fromEntries(numbers) as Feature;
}

function changedRule(rule: Rule, { lengths, thresholds, holdings }: Change): Rule {
  switch (rule.type) {
    case 'signals': {
      const parts = Object.entries(rule).map(([key, part]) => [
        key,
        typeof part === 'object' ? changedCondition(part, thresholds) : part,
      ]);
      return Object.fromEntries(parts) as Rule;
    }
    case 'ranking': {
      const where = rule.where === undefined ? {} : { where: changedCondition(rule.where, thresholds) };
      const count = (held: number) => (held === 0 ? 0 : scaled(held, holdings));
      return { ...rule, ...where, top: count(rule.top), bottom: count(rule.bottom) };
    }
    case 'decider':
      return rule;
    case 'pairs':
      return { ...rule, length: scaled(rule.length, lengths), enterAt: rule.enterAt * thresholds };
  }
}

function changedCondition(condition: Condition, by: number): Condition {
  if (condition.op === 'not') return { op: 'not', of: changedCondition(condition.of, by) };
  if ('of' in condition)
    return { op: condition.op, of: condition.of.map((part) => changedCondition(part, by)) };
  const operand = (value: Operand) => (typeof value === 'number' ? value * by : value);
  return { ...condition, left: operand(condition.left), right: operand(condition.right) };
}

function scaled(whole: number, by: number): number {
  return Math.max(1, Math.round(whole * by));
}

function modelInputs(model: unknown): readonly string[] {
  const inputs = typeof model === 'object' && model !== null && 'inputs' in model ? model.inputs : [];
  return Array.isArray(inputs) ? inputs.map(String) : [];
}

/** The fields of a feature that count bars or months. */
const LENGTHS: ReadonlySet<string> = new Set(['length', 'fast', 'slow', 'signal', 'months']);
