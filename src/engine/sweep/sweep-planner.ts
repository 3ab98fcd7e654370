// Plans the variants of one sweep from rows of numbers. Where only features change, which is nearly always, each distinct
// feature goes through the parser once and not once for every set. Promises the very plan of parsing each set alone.
import type { Feature, SignalRule, StrategyDefinition } from '../strategy/definition.ts';
import type { DefinitionError } from '../strategy/reader.ts';
import { type Cross, crossOf } from '../research/cross.ts';
import { parseSingleFeature } from '../strategy/parse-definition.ts';
import { type ParameterSet, variantDefinition, withNumbers } from './variant-definition.ts';

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

export type PlannedVariant =
  | { readonly ok: true; readonly variant: SweepVariant }
  | { readonly ok: false; readonly errors: readonly DefinitionError[] };

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

/** One feature of the template, the numbers of a row that go into it, and what came of those seen so far. */
type Slot = {
  readonly name: string;
  /** As the template has it. */
  readonly template: unknown;
  /** Which numbers of a row, and the places below the feature where they go. */
  readonly numbers: readonly number[];
  readonly places: readonly string[];
  readonly known: Map<number | string, Known | null>;
};

type Known = { readonly feature: Feature; readonly column: number };

type Base = {
  readonly definition: StrategyDefinition;
  readonly rule: SignalRule;
  readonly cross: Cross | null;
  readonly names: readonly string[];
  readonly slots: readonly Slot[];
};

export class SweepPlanner {
  readonly #template: unknown;
  readonly #paths: readonly string[];
  readonly #features: FeatureIndex;
  readonly #base: Base | null;

  /** A row holds one number for each of `paths`; NaN leaves the template's own. */
  constructor(template: unknown, paths: readonly string[], features: FeatureIndex) {
    this.#template = template;
    this.#paths = paths;
    this.#features = features;
    this.#base = baseOf(template, paths);
  }

  plan(rows: Float64Array, row: number): PlannedVariant {
    const at = row * this.#paths.length;
    return this.#quick(rows, at) ?? this.#whole(setOf(this.#paths, rows, at));
  }

  /** Null where more than features changes, or where the parser has something to say. */
  #quick(rows: Float64Array, at: number): PlannedVariant | null {
    const base = this.#base;
    if (base === null) return null;
    const features: { [name: string]: Feature } = {};
    const columns: number[] = [];
    for (const slot of base.slots) {
      const known = this.#fill(slot, rows, at);
      if (known === null) return null;
      features[slot.name] = known.feature;
      columns.push(known.column);
    }
    const definition = { ...base.definition, features };
    const cross = plannedCross(base.cross, base.names, columns);
    return { ok: true, variant: { definition, rule: base.rule, columns, cross } };
  }

  #fill({ template, numbers, places, known }: Slot, rows: Float64Array, at: number): Known | null {
    const key =
      numbers.length === 1 ? rows[at + numbers[0]!]! : numbers.map((number) => rows[at + number]!).join(' ');
    const found = known.get(key);
    if (found !== undefined) return found;
    const row = Float64Array.from(numbers, (number) => rows[at + number]!);
    const { value, missing } = withNumbers(template, setOf(places, row, 0));
    const feature = missing.length === 0 ? parseSingleFeature(value) : null;
    const made = feature === null ? null : { feature, column: this.#column(feature) };
    known.set(key, made);
    return made;
  }

  #column(feature: Feature): number {
    return this.#features.indexOf({ feature, periodsPerYear: this.#base!.definition.periodsPerYear });
  }

  #whole(set: ParameterSet): PlannedVariant {
    const parsed = variantDefinition(this.#template, set);
    if (!parsed.ok) return parsed;
    const { definition } = parsed;
    const { rule, periodsPerYear } = definition;
    if (rule.type !== 'signals') return refused('a sweep needs a signal rule');
    if (definition.model !== undefined) return refused('a sweep has no scores of a model');
    const columns = Object.values(definition.features).map((feature) =>
      this.#features.indexOf({ feature, periodsPerYear }),
    );
    const cross = plannedCross(crossOf(rule), Object.keys(definition.features), columns);
    return { ok: true, variant: { definition, rule, columns, cross } };
  }
}

function baseOf(template: unknown, paths: readonly string[]): Base | null {
  const parsed = variantDefinition(template, {});
  if (!parsed.ok) return null;
  const { definition } = parsed;
  const { rule } = definition;
  if (rule.type !== 'signals' || definition.model !== undefined) return null;
  const names = Object.keys(definition.features);
  const owners = paths.map(featureOf);
  if (owners.some((name) => name === null || !names.includes(name))) return null;
  const templates = (template as { readonly features: { readonly [name: string]: unknown } }).features;
  const slots = names.map((name) => {
    const numbers = owners.flatMap((owner, i) => (owner === name ? [i] : []));
    const places = numbers.map((number) => paths[number]!.split('.')[2]!);
    return {
      name,
      template: templates[name],
      numbers,
      places,
      known: new Map<number | string, Known | null>(),
    };
  });
  return { definition, rule, cross: crossOf(rule), names, slots };
}

function plannedCross(
  said: Cross | null,
  names: readonly string[],
  columns: readonly number[],
): PlannedCross | null {
  if (said === null) return null;
  const left = columns[names.indexOf(said.left)];
  const right = columns[names.indexOf(said.right)];
  return left === undefined || right === undefined
    ? null
    : { left, right, above: said.above, below: said.below };
}

function setOf(paths: readonly string[], rows: Float64Array, at: number): ParameterSet {
  const set: { [path: string]: number } = {};
  for (let i = 0; i < paths.length; i++) {
    const value = rows[at + i]!;
    if (!Number.isNaN(value)) set[paths[i]!] = value;
  }
  return set;
}

/** features.NAME.FIELD is a number of one feature; null for every other place. */
function featureOf(path: string): string | null {
  const parts = path.split('.');
  return parts.length === 3 && parts[0] === 'features' ? parts[1]! : null;
}

function refused(message: string): PlannedVariant {
  return { ok: false, errors: [{ path: '', message }] };
}
