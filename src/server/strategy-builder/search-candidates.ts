// The rules among which the controls search: each published idea that the market knows, with a few usual values of its number. Few
// enough to run within seconds, and each is one more try against the result.
import { variantDefinition } from '#engine/backtest/variants.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import {
  type BuilderInput,
  type OptionStructure,
  type RuleKind,
  STYLE_WORDS,
  type UsualStyle,
} from '#rules/strategy-builder/builder-input.ts';
import { previewSentence, STRUCTURE_WORDS } from '#rules/strategy-builder/preview-sentence.ts';
import type { Tradable } from './choose-universe.ts';
import { compileDefinition } from './compile-definition.ts';
import type { BuiltType } from './templates.ts';

const STYLES = Object.keys(STYLE_WORDS) as UsualStyle[];
const STRUCTURES: readonly OptionStructure[] = ['covered_call', 'protective_put', 'cash_secured_put'];

/** By the place of a number in the definition: its usual values, in bars; of options, the strike in percent of the price. */
const USUAL_VALUES: readonly (readonly [path: string, values: readonly number[]])[] = [
  ['features.momentum.length', [60, 120, 231]],
  ['features.change.length', [60, 120, 252]],
  ['features.stretch.length', [10, 20, 40]],
];
const TREND_LENGTHS = [50, 100, 200];
const STRIKES: Readonly<Record<OptionStructure, readonly number[]>> = {
  covered_call: [101, 102, 105],
  protective_put: [90, 95],
  cash_secured_put: [90, 95],
};

export type Candidate = {
  readonly definition: StrategyDefinition;
  readonly strategyType: BuiltType;
  /** What it is, in a sentence. */
  readonly sentence: string;
};

/** The usual rules first. Empty where there are no prices. */
export function searchCandidates(
  input: BuilderInput,
  instruments: readonly Tradable[],
): readonly Candidate[] {
  const kinds: readonly RuleKind[] =
    input.assetClass === 'options'
      ? STRUCTURES.map((structure) => ({ structure }))
      : STYLES.map((style) => ({ style }));
  const found = new Map<string, Candidate>();
  for (const kind of [{}, ...kinds]) {
    const template = compileDefinition(input, instruments, kind);
    if (!template.ok) continue;
    const { strategyType } = template;
    const sentence = previewSentence(input, kind);
    for (const set of [{}, ...setsOf(template.definition)]) {
      const variant = variantDefinition(template.definition, set);
      if (!variant.ok) continue;
      const key = JSON.stringify(rulesOf(variant.definition));
      if (!found.has(key))
        found.set(key, { definition: named(variant.definition, set), strategyType, sentence });
    }
  }
  return [...found.values()];
}

function setsOf(definition: Record<string, unknown>): { readonly [path: string]: number }[] {
  const options = definition['options'] as { readonly structure: OptionStructure } | undefined;
  if (options !== undefined)
    return STRIKES[options.structure].map((strike) => ({ 'options.strikePercent': strike }));
  const features = definition['features'] as Record<string, unknown>;
  const own = USUAL_VALUES.find(([path]) => Object.hasOwn(features, path.split('.')[1]!));
  const [path, values] = own ?? (['features.trend.length', TREND_LENGTHS] as const);
  return values.map((value) => ({ [path]: value }));
}

/** What is traded by; two that differ in words alone are one. */
function rulesOf(definition: StrategyDefinition): object {
  return { ...definition, name: '', notes: '' };
}

function named(definition: StrategyDefinition, set: { readonly [path: string]: number }): StrategyDefinition {
  const { options, name } = definition;
  const [days] = Object.values(set);
  const said = options
    ? `${STRUCTURE_WORDS[options.structure]} at ${options.strikePercent}%`
    : days && `${days} days`;
  return said ? { ...definition, name: `${name}, ${said}` } : definition;
}
