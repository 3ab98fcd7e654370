// The parts of a strategy definition that act on the whole rule: a regime, a basket and a band.
import type { Symbol } from '#units/identifiers.ts';
import type { Band, Basket, Condition, Regime, Rule, StrategyDefinition } from '../definition.ts';
import { parseCondition } from './parse-condition.ts';
import { parseRule, type RulePlace } from './parse-rule.ts';
import { parseSymbol } from './parse-symbol.ts';
import { join, type Reader } from './reader.ts';
import { checkCombined, checkCompared } from './units.ts';

type Given = { readonly [name: string]: unknown };

/** Only what is given: a definition without them is the same text, and has the same hash, as before they existed. */
export function parseWhole(
  reader: Reader,
  given: Given,
  place: Omit<RulePlace, 'path'>,
): Pick<StrategyDefinition, 'regime' | 'basket' | 'band'> {
  const { regime, basket, band } = given;
  return {
    ...(regime === undefined ? {} : { regime: parseRegime(reader, regime, place) }),
    ...(basket === undefined ? {} : { basket: parseBasket(reader, basket, place.universe) }),
    ...(band === undefined ? {} : { band: parseBand(reader, band) }),
  };
}

/** What can only be seen of the definition as a whole. */
export function checkWhole(reader: Reader, definition: StrategyDefinition): void {
  const { rule, regime, basket, exits, options, features, weighting } = definition;
  const rules = [
    rule,
    ...(regime === undefined || regime.otherwise.type === 'cash' ? [] : [regime.otherwise]),
  ];
  if (Object.keys(exits).length > 0 && rules.some(({ type }) => type !== 'signals'))
    reader.fail('exits', 'belong to signal rules only');
  if (rule.type === 'pairs' && weighting.type !== 'equal')
    reader.fail('weighting', 'of a pairs rule is equal: each pair gets the same share');
  if (rule.type === 'pairs' && basket !== undefined)
    reader.fail('basket', 'has no place beside pairs: they name their instruments');
  if (options !== undefined && basket !== undefined)
    reader.fail('basket', 'has no place beside options: they name their underlyings');
  if (rule.type === 'decider')
    for (const part of ['regime', 'basket', 'band'] as const)
      if (definition[part] !== undefined)
        reader.fail(part, 'has no place beside a model that decides: its answers are the targets');
  checkCombined(reader, features);
  for (const { path, left, right } of comparisonsOf(definition))
    checkCompared(reader, features, { left, right, path });
}

type Comparing = { readonly path: string } & Pick<Extract<Condition, { left: unknown }>, 'left' | 'right'>;

function comparisonsOf({ rule, regime }: StrategyDefinition): readonly Comparing[] {
  return [
    ...inRule(rule, 'rule'),
    ...(regime === undefined ? [] : inCondition(regime.when, 'regime.when')),
    ...(regime === undefined || regime.otherwise.type === 'cash'
      ? []
      : inRule(regime.otherwise, 'regime.otherwise')),
  ];
}

function inRule(rule: Rule, path: string): readonly Comparing[] {
  if (rule.type === 'pairs' || rule.type === 'decider') return [];
  if (rule.type === 'ranking') return rule.where ? inCondition(rule.where, join(path, 'where')) : [];
  return (['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const).flatMap((name) => {
    const condition = rule[name];
    return condition === undefined ? [] : inCondition(condition, join(path, name));
  });
}

function inCondition(condition: Condition, path: string): readonly Comparing[] {
  if ('left' in condition) return [{ path, left: condition.left, right: condition.right }];
  if (condition.op === 'not') return inCondition(condition.of, join(path, 'of'));
  return condition.of.flatMap((one, place) => inCondition(one, join(join(path, 'of'), place)));
}

function parseRegime(reader: Reader, value: unknown, place: Omit<RulePlace, 'path'>): Regime {
  const given = reader.fields(value, 'regime', ['symbol', 'when', 'otherwise']) ?? {};
  const symbol: Symbol = parseSymbol(reader, given['symbol'], 'regime.symbol');
  const { features } = place;
  const when = parseCondition(reader, given['when'], { path: 'regime.when', features });
  if (hasCross(when)) reader.fail('regime.when', 'is a state that lasts: a cross is over after one bar');
  return { symbol, when, otherwise: parseOtherwise(reader, given['otherwise'] ?? { type: 'cash' }, place) };
}

function hasCross(condition: Condition): boolean {
  if (condition.op === 'not') return hasCross(condition.of);
  if ('of' in condition) return condition.of.some(hasCross);
  return condition.op === 'crosses_above' || condition.op === 'crosses_below';
}

function parseOtherwise(reader: Reader, value: unknown, place: Omit<RulePlace, 'path'>): Regime['otherwise'] {
  const path = 'regime.otherwise';
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  const word = reader.oneOf(type, `${path}.type`, ['cash', 'signals', 'ranking']);
  if (word === 'cash') {
    reader.fields(value, path, ['type']);
    return { type: 'cash' };
  }
  const rule = parseRule(reader, value, { ...place, path });
  return rule.type === 'signals' || rule.type === 'ranking' ? rule : { type: 'cash' };
}

function parseBasket(reader: Reader, value: unknown, universe: readonly Symbol[]): Basket {
  const given = reader.fields(value, 'basket', ['by', 'length', 'most']) ?? {};
  return {
    by: reader.oneOf(given['by'], 'basket.by', ['turnover']),
    length: reader.whole(given['length'], 'basket.length', { min: 1, max: 500 }),
    most: reader.whole(given['most'], 'basket.most', { min: 1, max: Math.max(1, universe.length) }),
  };
}

function parseBand(reader: Reader, value: unknown): Band {
  const given = reader.fields(value, 'band', ['percent']) ?? {};
  return { percent: reader.number(given['percent'], 'band.percent', { min: 0.1, max: 50 }) };
}
