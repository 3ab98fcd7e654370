import { type CreateBacktest, SWEEP_SETS_MAX } from '#contract/strategies/backtests.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { everySet, variantDefinition } from '#engine/backtest/variants.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

type Parameters = NonNullable<CreateBacktest['parameters']>;

/** Null when every combination is a runnable definition. */
export function checkParameters(
  definition: unknown,
  kind: CreateBacktest['kind'],
  parameters: Parameters,
): Refused | null {
  if (kind !== 'sweep') {
    if (parameters.length === 0) return null;
    const name = kind === 'backtest' ? 'A backtest' : 'An attack';
    return refuse('out_of_range', `${name} runs the saved version. Use a sweep to try other values.`, {
      field: 'parameters',
    });
  }
  const field = 'parameters';
  if (parameters.length === 0)
    return refuse('out_of_range', 'Choose at least one parameter and its values.', { field });
  const sets = parameters.reduce((product, { values }) => product * values.length, 1);
  if (sets > SWEEP_SETS_MAX) {
    const message = `This makes ${sets} combinations; a sweep can run at most ${SWEEP_SETS_MAX}. Use fewer values.`;
    return refuse('out_of_range', message, { field });
  }
  const trained = trainedPlace(definition, parameters);
  if (trained !== undefined) {
    const message = `The model was trained with ${trained} fixed. Choose a parameter that the model does not use.`;
    return refuse('out_of_range', message, { field });
  }
  return firstThatFails(definition, parameters);
}

function firstThatFails(definition: unknown, parameters: Parameters): Refused | null {
  for (const set of everySet(parameters)) {
    const variant = variantDefinition(definition, set);
    if (variant.ok) continue;
    const [first] = variant.errors;
    const message = `With ${nameOf(set)}: ${first?.path ?? ''} ${first?.message ?? 'cannot be used'}.`;
    return refuse('definition_invalid', message, {
      field: 'parameters',
      details: { errors: variant.errors, parameters: set },
    });
  }
  return null;
}

/** A parameter that the model's scores depend on, if there is one. */
function trainedPlace(definition: unknown, parameters: Parameters): string | undefined {
  const parsed = parseDefinition(definition);
  const model = parsed.ok ? parsed.definition.model : undefined;
  if (model === undefined) return undefined;
  const inputs = model.inputs.map((name) => `features.${name}.`);
  const isTrained = (path: string) =>
    path.startsWith('model.') || inputs.some((input) => path.startsWith(input));
  return parameters.map(({ path }) => path).find(isTrained);
}

function nameOf(set: { readonly [path: string]: number }): string {
  return Object.entries(set)
    .map(([path, value]) => `${path} ${value}`)
    .join(', ');
}
