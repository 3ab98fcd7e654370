// The comparisons of a definition, resolved and in one notation, so that what the grammar heard can be looked up in them.
import type { Condition, Feature, Operand, StrategyDefinition } from '#engine/strategy/definition.ts';
import type { Symbol } from '#units/identifiers.ts';
import { COMPARISON_WORDS, featureWords } from '#rules/strategies/feature-words.ts';
import { NEGATIONS, type Term, type Test } from '../reading/terms.ts';

export type Resolved = Pick<Test, 'op' | 'left' | 'right'>;

type Definition = Pick<StrategyDefinition, 'features' | 'rule'>;

const ROLES = ['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const;

/** By role; of a ranking, its filter counts as when to buy. */
export function testsOf(definition: Definition): ReadonlyMap<(typeof ROLES)[number], readonly Resolved[]> {
  const { rule } = definition;
  if (rule.type === 'pairs' || rule.type === 'decider') return new Map();
  if (rule.type === 'ranking') return new Map([['enterLong', leaves(rule.where, definition)]]);
  return new Map(ROLES.map((role) => [role, leaves(rule[role], definition)]));
}

function leaves(
  condition: Condition | undefined,
  definition: Definition,
  isNegated = false,
): readonly Resolved[] {
  if (condition === undefined) return [];
  if (condition.op === 'not') return leaves(condition.of, definition, !isNegated);
  if (!('left' in condition)) return condition.of.flatMap((one) => leaves(one, definition, isNegated));
  const term = (operand: Operand): Term =>
    typeof operand === 'number'
      ? operand
      : (definition.features[operand] ?? (operand as Exclude<Term, number | Feature>));
  const op = isNegated ? NEGATIONS[condition.op] : condition.op;
  return [{ op, left: term(condition.left), right: term(condition.right) }];
}

/** Two comparisons with one key say the same; `own` is the only instrument, whose measures need not name it. */
export function testKey(test: Resolved, own: string | null): string {
  const [left, right] = [termKey(test.left, own), termKey(test.right, own)];
  const turned = typeof test.left === 'number' || left > right;
  const side = SIDES[test.op];
  return turned && typeof test.right !== 'number'
    ? `${right} ${TURNED[side]} ${left}`
    : `${left} ${side} ${right}`;
}

/** What is compared with what, whichever way round. */
export function subjectKey(test: Resolved, own: string | null): string {
  return [test.left, test.right]
    .filter((term) => typeof term !== 'number')
    .map((term) => termKey(term, own))
    .sort()
    .join(' ');
}

const SIDES = {
  above: '>',
  at_least: '>',
  below: '<',
  at_most: '<',
  crosses_above: 'x>',
  crosses_below: 'x<',
} as const;
const TURNED = { '>': '<', '<': '>', 'x>': 'x<', 'x<': 'x>' } as const;

function termKey(term: Term, own: string | null): string {
  if (typeof term === 'number') return String(Math.round(term * 1e9) / 1e9);
  if (typeof term === 'string') return term;
  const { symbol, ...rest } = term;
  const elsewhere = symbol === undefined || symbol === own ? '' : ` of ${symbol}`;
  const plain = plainFeature(rest as Feature);
  const key = typeof plain === 'string' ? plain : JSON.stringify(Object.entries(plain).sort(byName));
  return `${key}${elsewhere}`;
}

/** Two names of one thing. */
function plainFeature(feature: Feature): Feature | string {
  if (feature.indicator === 'sma' && feature.length === 1 && !feature.lag) return feature.of ?? 'close';
  const { indicator } = feature;
  const isHigh = indicator === 'highest' && feature.of === 'high';
  const isLow = indicator === 'lowest' && feature.of === 'low';
  if (isHigh || isLow)
    return { indicator: 'donchian', length: feature.length, output: isHigh ? 'upper' : 'lower' };
  return feature;
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

export function testWords({ left, op, right }: Resolved): string {
  return `${termWords(left)} ${COMPARISON_WORDS[op]} ${termWords(right)}`;
}

function termWords(term: Term): string {
  if (typeof term === 'number') return String(Math.round(term * 1e6) / 1e6);
  return typeof term === 'string' ? `the ${term}` : `the ${featureWords(term)}`;
}

/** The only instrument that is traded; null where there are several. */
export function onlyOf(universe: readonly Symbol[]): Symbol | null {
  return universe.length === 1 ? universe[0]! : null;
}
