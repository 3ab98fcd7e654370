// Variants of a definition: copies with other numbers, each with its own backtest. Promises that only places which hold
// a number are changed, and that every variant has passed the parser like any other definition.
import type { StrategyDefinition } from '../strategy/definition.ts';
import { parseDefinition } from '../strategy/parsing/parse-definition.ts';
import type { DefinitionError } from '../strategy/parsing/reader.ts';
import { backtest } from './backtest.ts';
import type { BacktestResult } from './result.ts';
import type { BacktestInput } from './settings.ts';
import { SharedRuns } from './shared-runs.ts';

/** Numbers by their place in the definition: { 'features.fast.length': 10 }. */
export type ParameterSet = { readonly [path: string]: number };

export type VariantDefinition =
  | { readonly ok: true; readonly definition: StrategyDefinition }
  | { readonly ok: false; readonly errors: readonly DefinitionError[] };

export function variantDefinition(template: unknown, set: ParameterSet): VariantDefinition {
  const { value, missing } = withNumbers(template, set);
  if (missing.length === 0) return parseDefinition(value);
  return {
    ok: false,
    errors: missing.map((path) => ({ path, message: 'names no number of the definition' })),
  };
}

/** A copy with other numbers, and the places that hold none. */
export function withNumbers(
  template: unknown,
  set: ParameterSet,
): { readonly value: unknown; readonly missing: readonly string[] } {
  const value: unknown = structuredCopy(template);
  const missing: string[] = [];
  for (const [path, number] of Object.entries(set)) {
    if (!substitute(value, path, number)) missing.push(path);
  }
  return { value, missing };
}

/** Every combination of the values, the last parameter changing fastest. */
export function everySet(
  parameters: readonly { readonly path: string; readonly values: readonly number[] }[],
): ParameterSet[] {
  let sets: ParameterSet[] = [{}];
  for (const { path, values } of parameters) {
    sets = sets.flatMap((set) => values.map((value) => ({ ...set, [path]: value })));
  }
  return sets;
}

/** Replaces a number by another; returns false when the place holds no number. */
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

export type VariantRun =
  | { readonly ok: true; readonly definition: StrategyDefinition; readonly result: BacktestResult }
  | { readonly ok: false; readonly errors: readonly DefinitionError[] };

/** Runs variants of one template over the same bars, on the same terms; shared parts are computed once. */
export class VariantRunner {
  readonly #template: unknown;
  readonly #input: Omit<BacktestInput, 'definition'>;
  readonly #shared: SharedRuns;

  constructor(template: unknown, input: Omit<BacktestInput, 'definition'>) {
    this.#template = template;
    this.#input = input;
    this.#shared = new SharedRuns(input);
  }

  /** Throws RangeError when a variant cannot be run on these bars. */
  run(set: ParameterSet): VariantRun {
    const variant = variantDefinition(this.#template, set);
    if (!variant.ok) return variant;
    const { definition } = variant;
    return {
      ok: true,
      definition,
      result: backtest({ ...this.#input, definition }, { shared: this.#shared }),
    };
  }
}
