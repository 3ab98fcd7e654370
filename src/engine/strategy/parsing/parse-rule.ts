// The rule of a strategy definition: signals, a ranking or pairs.
import type { Symbol } from '#units/identifiers.ts';
import { parseDecider } from '../../decider/parse-decider.ts';
import type { PairsRule, RankingRule, Rule, SignalRule } from '../definition.ts';
import { parseCondition } from './parse-condition.ts';
import { parseSymbol } from './parse-symbol.ts';
import { join, type Reader } from './reader.ts';

export type RulePlace = {
  readonly path: string;
  readonly features: readonly string[];
  readonly universe: readonly Symbol[];
  readonly direction: 'long' | 'long_short';
};

export function parseRule(reader: Reader, value: unknown, place: RulePlace): Rule {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  switch (reader.oneOf(type, join(place.path, 'type'), ['signals', 'ranking', 'pairs', 'decider'])) {
    case 'signals':
      return parseSignals(reader, value, place);
    case 'ranking':
      return parseRanking(reader, value, place);
    case 'pairs':
      return parsePairs(reader, value, place);
    case 'decider':
      return parseDecider(reader, value, place.path);
  }
}

function parseSignals(reader: Reader, value: unknown, { path, features, direction }: RulePlace): SignalRule {
  const given = reader.fields(value, path, ['type', ...SIGNALS]) ?? {};
  const rule: { type: 'signals' } & { -readonly [Name in (typeof SIGNALS)[number]]?: SignalRule[Name] } = {
    type: 'signals',
  };
  for (const name of SIGNALS) {
    if (given[name] === undefined) continue;
    rule[name] = parseCondition(reader, given[name], { path: join(path, name), features });
  }
  if (rule.enterLong === undefined && rule.enterShort === undefined) {
    reader.fail(path, 'needs enterLong or enterShort');
  }
  if (direction === 'long' && (rule.enterShort !== undefined || rule.exitShort !== undefined)) {
    reader.fail(join(path, 'enterShort'), "needs direction 'long_short'");
  }
  return rule;
}

function parseRanking(reader: Reader, value: unknown, place: RulePlace): RankingRule {
  const { path, features, universe, direction } = place;
  const given = reader.fields(value, path, ['type', 'by', 'top', 'bottom', 'where']) ?? {};
  const most = Math.max(1, universe.length);
  const by = features.length === 0 ? '' : reader.oneOf(given['by'], join(path, 'by'), features);
  if (features.length === 0) reader.fail(join(path, 'by'), 'must name a feature, and none is declared');
  const top = reader.whole(given['top'] ?? 0, join(path, 'top'), { min: 0, max: most });
  const bottom = reader.whole(given['bottom'] ?? 0, join(path, 'bottom'), { min: 0, max: most });
  if (top + bottom === 0) reader.fail(path, 'needs top or bottom above 0');
  if (top + bottom > most) reader.fail(path, 'top and bottom together are more than the universe holds');
  if (bottom > 0 && direction === 'long') reader.fail(join(path, 'bottom'), "needs direction 'long_short'");
  const rule = { type: 'ranking', by, top, bottom } as const;
  if (given['where'] === undefined) return rule;
  return { ...rule, where: parseCondition(reader, given['where'], { path: join(path, 'where'), features }) };
}

function parsePairs(reader: Reader, value: unknown, { path, universe, direction }: RulePlace): PairsRule {
  const names = ['type', 'pairs', 'spread', 'length', 'enterAt', 'exitAt', 'stopAt'];
  const given = reader.fields(value, path, names) ?? {};
  const deviations = { min: 0, max: 20 };
  const pairs = reader.list(given['pairs'], join(path, 'pairs'), { min: 1, max: 100 }).map((one, i) => {
    const at = join(join(path, 'pairs'), i);
    const pair = reader.fields(one, at, ['first', 'second']) ?? {};
    const first = parseSymbol(reader, pair['first'], join(at, 'first'));
    const second = parseSymbol(reader, pair['second'], join(at, 'second'));
    if (first === second) reader.fail(at, 'needs two different symbols');
    for (const symbol of [first, second]) {
      if (!universe.includes(symbol)) reader.fail(at, `${symbol} is not in the universe`);
    }
    return { first, second };
  });
  if (direction === 'long') reader.fail(path, "pairs need direction 'long_short'");
  const enterAt = reader.number(given['enterAt'], join(path, 'enterAt'), deviations);
  const exitAt = reader.number(given['exitAt'], join(path, 'exitAt'), deviations);
  if (exitAt >= enterAt) reader.fail(join(path, 'exitAt'), 'must be less than enterAt');
  const rule = {
    type: 'pairs',
    pairs,
    spread: reader.oneOf(given['spread'], join(path, 'spread'), ['log_ratio', 'hedge_ratio']),
    length: reader.whole(given['length'], join(path, 'length'), { min: 5, max: 2_000 }),
    enterAt,
    exitAt,
  } as const;
  if (given['stopAt'] === undefined) return rule;
  const stopAt = reader.number(given['stopAt'], join(path, 'stopAt'), deviations);
  if (stopAt <= enterAt) reader.fail(join(path, 'stopAt'), 'must be more than enterAt');
  return { ...rule, stopAt };
}

const SIGNALS = ['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const;
