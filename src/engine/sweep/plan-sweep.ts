// A sweep, planned: many definitions of one instrument that differ in their numbers, and every distinct feature among
// them named once. Promises that a column is computed once however many variants read it.
import type { Feature, SignalRule, StrategyDefinition } from '../strategy/definition.ts';
import { parseDefinition } from '../strategy/parse-definition.ts';
import type { DefinitionError } from '../strategy/reader.ts';
import { type Cross, crossOf } from './cross.ts';

/** Numbers by their place in the definition: { 'features.fast.length': 10 }. */
export type ParameterSet = { readonly [path: string]: number };

export type SweepVariant = {
  readonly definition: StrategyDefinition;
  readonly rule: SignalRule;
  /** For each feature of the definition, in its order, the index into the plan's features. */
  readonly columns: readonly number[];
  readonly cross: Cross | null;
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
    const changed: unknown = structuredCopy(template);
    for (const [path, value] of Object.entries(set)) {
      if (!substitute(changed, path, value)) fail(i, path, 'names no number of the definition');
    }
    const parsed = parseDefinition(changed);
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
  return { definition, rule, columns, cross: crossOf(rule, (name) => columns[names.indexOf(name)]) };
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

/** Puts a number where a number stands; whether there was one. */
function substitute(value: unknown, path: string, number: number): boolean {
  const keys = path.split('.');
  const last = keys.pop()!;
  let place: unknown = value;
  for (const key of keys) place = fieldsOf(place)?.[key];
  const fields = fieldsOf(place);
  if (fields === null || !Object.hasOwn(fields, last) || typeof fields[last] !== 'number') return false;
  fields[last] = number;
  return true;
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

/** Definitions are JSON. */
function structuredCopy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

const ERRORS_MAX = 20;
