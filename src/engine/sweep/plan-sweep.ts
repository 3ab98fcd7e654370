// A sweep, planned: many definitions of one instrument that differ in their numbers, and every distinct feature among
// them named once. Promises that a column is computed once however many variants read it.
import type { Feature, SignalRule, StrategyDefinition } from '../strategy/definition.ts';
import type { DefinitionError } from '../strategy/reader.ts';
import { crossOf } from '../research/cross.ts';
import { type ParameterSet, variantDefinition } from './variant-definition.ts';

export type SweepVariant = {
  readonly definition: StrategyDefinition;
  readonly rule: SignalRule;
  /** For each feature of the definition, in its order, the index into the plan's features. */
  readonly columns: readonly number[];
  readonly cross: PlannedCross | null;
};

/** As research/cross.ts, by indices into the plan's features. */
export type PlannedCross = {
  readonly left: number;
  readonly right: number;
  readonly above: number;
  readonly below: number;
};

export type SweepFeature = { readonly feature: Feature; readonly periodsPerYear: number };

export type SweepPlan = {
  readonly variants: readonly SweepVariant[];
  readonly features: readonly SweepFeature[];
};

export type PlannedSweep =
  | { readonly ok: true; readonly plan: SweepPlan }
  | { readonly ok: false; readonly errors: readonly DefinitionError[] };

/**
 * Refuses the whole sweep when one variant does not parse; the error's path begins with the number of its set. Plans
 * that are given the same `features` share them, and so the columns.
 */
export function planSweep(
  template: unknown,
  sets: readonly ParameterSet[],
  features: FeatureIndex = new FeatureIndex(),
): PlannedSweep {
  const errors: DefinitionError[] = [];
  const fail = (set: number, path: string, message: string) =>
    errors.push({ path: `sets.${set}${path === '' ? '' : `.${path}`}`, message });
  const variants: SweepVariant[] = [];
  for (const [i, set] of sets.entries()) {
    const parsed = variantDefinition(template, set);
    if (!parsed.ok) for (const { path, message } of parsed.errors) fail(i, path, message);
    else {
      const variant = variantOf(parsed.definition, features);
      if (typeof variant === 'string') fail(i, '', variant);
      else variants.push(variant);
    }
    if (errors.length >= ERRORS_MAX) break;
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, plan: { variants, features: features.list } };
}

function variantOf(definition: StrategyDefinition, features: FeatureIndex): SweepVariant | string {
  const { rule } = definition;
  if (rule.type !== 'signals') return 'a sweep needs a signal rule';
  if (definition.model !== undefined) return 'a sweep has no scores of a model';
  const columns = Object.values(definition.features).map((feature) =>
    features.indexOf({ feature, periodsPerYear: definition.periodsPerYear }),
  );
  const names = Object.keys(definition.features);
  const said = crossOf(rule);
  const left = columns[names.indexOf(said?.left ?? '')];
  const right = columns[names.indexOf(said?.right ?? '')];
  const cross = said === null || left === undefined || right === undefined ? null : { ...said, left, right };
  return { definition, rule, columns, cross };
}

/** Each distinct feature once. */
export class FeatureIndex {
  readonly list: SweepFeature[] = [];
  readonly #known = new Map<string, number>();

  indexOf(feature: SweepFeature): number {
    // The parser writes the fields of a feature in one order.
    const key = JSON.stringify(feature);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.list.length);
    return this.list.push(feature) - 1;
  }
}

const ERRORS_MAX = 20;
