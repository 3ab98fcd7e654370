// A sweep, planned: many definitions of one instrument that differ in their numbers, and every distinct feature among
// them named once. Promises that a column is computed once however many variants read it.
import type { DefinitionError } from '../strategy/reader.ts';
import { FeatureIndex, type SweepFeature, SweepPlanner, type SweepVariant } from './sweep-planner.ts';
import type { ParameterSet } from './variant-definition.ts';

export type SweepPlan = {
  readonly variants: readonly SweepVariant[];
  readonly features: readonly SweepFeature[];
};

export type PlannedSweep =
  | { readonly ok: true; readonly plan: SweepPlan }
  | { readonly ok: false; readonly errors: readonly DefinitionError[] };

/** Refuses the whole sweep when one variant does not parse; the error's path begins with the number of its set. */
export function planSweep(template: unknown, sets: readonly ParameterSet[]): PlannedSweep {
  const errors: DefinitionError[] = [];
  const variants: SweepVariant[] = [];
  const features = new FeatureIndex();
  const { paths, rows } = rowsOf(sets);
  const planner = new SweepPlanner(template, paths, features);
  for (let i = 0; i < sets.length && errors.length < ERRORS_MAX; i++) {
    const planned = planner.plan(rows, i);
    if (planned.ok) variants.push(planned.variant);
    else errors.push(...planned.errors.map((error) => errorOfSet(error, i)));
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, plan: { variants, features: features.list } };
}

/** Sets as rows of numbers, which threads can share: one column for each place that any set names. */
export type SweepRows = { readonly paths: readonly string[]; readonly rows: Float64Array };

/** NaN stands where a set does not name a place. */
export function rowsOf(
  sets: readonly ParameterSet[],
  room: (numbers: number) => Float64Array = (numbers) => new Float64Array(numbers),
): SweepRows {
  const columns = new Map<string, number>();
  for (const set of sets) {
    for (const path in set) if (!columns.has(path)) columns.set(path, columns.size);
  }
  const paths = [...columns.keys()];
  const rows = room(sets.length * paths.length);
  sets.forEach((set, i) => {
    for (let k = 0; k < paths.length; k++) rows[i * paths.length + k] = set[paths[k]!] ?? Number.NaN;
  });
  return { paths, rows };
}

export function errorOfSet({ path, message }: DefinitionError, set: number): DefinitionError {
  return { path: `sets.${set}${path === '' ? '' : `.${path}`}`, message };
}

const ERRORS_MAX = 20;
