// A strategy definition in sentences, so that a person can check that the rules are what they meant.
import type { Condition, Operand, Rule, StrategyDefinition } from '#engine/strategy/definition.ts';
import { unitOf } from '#engine/strategy/parsing/units.ts';
import { deciderLines } from '#rules/strategies/decider-words.ts';
import { COMPARISON_WORDS, featureWords, operandWords } from '#rules/strategies/feature-words.ts';
import { bandWords, basketWords } from '#rules/strategies/whole-words.ts';

/** `part` is its place in the definition. */
export type RuleLine = { readonly part: string; readonly title: string; readonly text: string };

export function describeDefinition(definition: StrategyDefinition): readonly RuleLine[] {
  const { universe, interval, rule, exits, options } = definition;
  const lines: RuleLine[] = [
    { part: 'universe', title: 'Trades', text: listed(universe) },
    ...(interval === undefined
      ? []
      : [
          {
            part: 'interval',
            title: 'Bars',
            text: `Of ${INTERVAL_WORDS[interval]}: each day named in the rules is one such bar`,
          },
        ]),
    { part: 'schedule', title: 'Checked', text: `${scheduleWords(definition)}, after the close` },
    ...ruleLines(rule, definition),
    { part: 'direction', title: 'Sides', text: SIDES[definition.direction] },
    { part: 'weighting', title: 'Size', text: sizeWords(definition) },
    ...wholeLines(definition),
  ];
  if (exits.stopPercent !== undefined)
    lines.push({
      part: 'exits.stopPercent',
      title: 'Stop',
      text: `Closes a position that has lost ${exits.stopPercent}% since entry`,
    });
  if (exits.targetPercent !== undefined)
    lines.push({
      part: 'exits.targetPercent',
      title: 'Target',
      text: `Closes a position that has gained ${exits.targetPercent}%`,
    });
  if (exits.maxBars !== undefined)
    lines.push({
      part: 'exits.maxBars',
      title: 'Time limit',
      text: `Closes a position after ${exits.maxBars} trading days`,
    });
  if (options) {
    const underlyings = listed(options.underlyings);
    lines.push({
      part: 'options',
      title: 'Options',
      text: `${OPTION_WORDS[options.structure]} on ${underlyings} at ${options.strikePercent}% of the price, renewed at each monthly expiry`,
    });
  }
  return lines;
}

const SIDES = { long: 'Buys only: nothing is sold short', long_short: 'Long and short' } as const;

const OPTION_WORDS = {
  covered_call: 'Covered calls',
  protective_put: 'Protective puts',
  cash_secured_put: 'Cash-secured puts',
} as const;

const INTERVAL_WORDS = {
  '1m': 'one minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '30m': '30 minutes',
  '1h': 'one hour',
} as const;

function scheduleWords({ schedule, interval }: StrategyDefinition): string {
  if (schedule.every === 'bars')
    return `Every ${schedule.count} ${interval === undefined ? 'trading days' : 'bars'}`;
  return { bar: 'Every bar', day: 'Every trading day', week: 'Every week', month: 'Every month' }[
    schedule.every
  ];
}

function ruleLines(rule: Rule, definition: StrategyDefinition): RuleLine[] {
  const words = (condition: Condition) => conditionWords(condition, definition);
  if (rule.type === 'ranking') {
    const by = definition.features[rule.by];
    const measure = by ? featureWords(by, definition.features) : rule.by;
    const short = rule.bottom > 0 ? `; the ${rule.bottom} lowest are sold short` : '';
    const where = rule.where ? `, among those where ${words(rule.where)}` : '';
    return [
      { part: 'rule', title: 'Holds', text: `The ${rule.top} with the highest ${measure}${where}${short}` },
    ];
  }
  if (rule.type === 'pairs') {
    const pairs = rule.pairs.map(({ first, second }) => `${first} against ${second}`);
    return [
      {
        part: 'rule',
        title: 'Holds',
        text: `${listed(pairs)}: from ${rule.enterAt} standard deviations apart until ${rule.exitAt}`,
      },
    ];
  }
  if (rule.type === 'decider') return deciderLines(rule).map((line) => ({ part: 'rule', ...line }));
  const sides: [string, string, Condition | undefined][] = [
    ['rule.enterLong', 'Buys when', rule.enterLong],
    ['rule.exitLong', 'Sells when', rule.exitLong],
    ['rule.enterShort', 'Sells short when', rule.enterShort],
    ['rule.exitShort', 'Buys back when', rule.exitShort],
  ];
  return sides.flatMap(([part, title, condition]) =>
    condition ? [{ part, title, text: capital(words(condition)) }] : [],
  );
}

function conditionWords(condition: Condition, definition: StrategyDefinition): string {
  if ('left' in condition) {
    const words = (operand: Operand) => operandWords(operand, definition);
    if (condition.left === 'close' && condition.right === 0)
      return condition.op === 'above' ? 'always' : 'never';
    const { left, right } = condition;
    const isShare = typeof right === 'number' && unitOf(left, definition.features) === 'fraction';
    return `${words(left)} ${COMPARISON_WORDS[condition.op]} ${isShare ? percent(right) : words(right)}`;
  }
  if (condition.op === 'not') return `not (${conditionWords(condition.of, definition)})`;
  const parts = condition.of.map((one) => conditionWords(one, definition));
  return parts.join(condition.op === 'all' ? ' and ' : ' or ');
}

/** With no more digits than it was written with. */
function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(6))}%`;
}

function sizeWords(definition: StrategyDefinition): string {
  const { rule, gross } = definition;
  if (rule.type !== 'decider') return weightingWords(definition);
  return `As the model proposes, within your limits; at most ${Math.round(gross * 100)}% of the money is in the market`;
}

/** What acts on the whole rule. */
function wholeLines(definition: StrategyDefinition): RuleLine[] {
  const { regime, basket, band } = definition;
  const lines: RuleLine[] = [];
  if (basket) lines.push({ part: 'basket', title: 'Takes part', text: basketWords(basket) });
  if (regime) {
    const when = capital(conditionWords(regime.when, definition));
    lines.push({ part: 'regime', title: 'Counts while', text: `${when}, of ${regime.symbol}` });
    if (regime.otherwise.type === 'cash')
      lines.push({ part: 'regime', title: 'Otherwise', text: 'Holds nothing: all of the money is cash' });
    else
      for (const { title, text } of ruleLines(regime.otherwise, definition))
        lines.push({ part: 'regime', title: `Otherwise ${title.toLowerCase()}`, text });
  }
  if (band) lines.push({ part: 'band', title: 'Band', text: bandWords(band) });
  return lines;
}

function weightingWords({ weighting, gross, features }: StrategyDefinition): string {
  const most = gross < 1 ? `; at most ${Math.round(gross * 100)}% of the money is in the market` : '';
  switch (weighting.type) {
    case 'equal':
      return `The same for each${weighting.over === 'held' ? ' that is held' : ''}${most}`;
    case 'fixed':
      return `${Object.entries(weighting.weights)
        .map(([symbol, share]) => `${Math.round(share * 1_000) / 10}% ${symbol}`)
        .join(', ')}${most}`;
    case 'inverse_volatility':
      return `Larger positions in calmer instruments, measured over ${weighting.length} days${most}`;
    case 'volatility_target':
      return `Each position is sized for about ${weighting.annualPercent}% volatility a year, measured over ${weighting.length} days; the rest stays in cash${most}`;
    case 'conviction': {
      const cap =
        weighting.maxPercent === undefined ? '' : `, none above ${weighting.maxPercent}% of the money`;
      const by = operandWords(weighting.by, { features });
      return `In proportion to ${by}: what is not on the side that is held gets nothing${cap}${most}`;
    }
  }
}

const MOST_NAMED = 8;

function listed(names: readonly string[]): string {
  if (names.length <= MOST_NAMED) return names.join(', ');
  return `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
