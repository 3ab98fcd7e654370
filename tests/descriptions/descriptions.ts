// The list of descriptions as data, and what a reading gives in the same notation, so that the two can be compared.
import type { Condition, Feature, StrategyDefinition } from '#engine/strategy/definition.ts';
import type { NamedInstrument } from '#rules/strategy-builder/reading/market-names.ts';
import type { ReadStrategy } from '#rules/strategy-builder/reading/conversation.ts';
import { readStrategy } from '#rules/strategy-builder/reading/read-strategy.ts';
import { isOfKind } from '#rules/strategy-builder/reading/universe.ts';

export type Description = {
  readonly place: number;
  readonly group: string;
  readonly text: string;
  readonly sign: '=' | '?' | '!';
  readonly meant: string;
};

/** meant: what the person meant. asked: it asks back or refuses instead. wrong: it builds something else. */
export type Verdict = 'meant' | 'asked' | 'wrong';

export function parseDescriptions(list: string): readonly Description[] {
  const found: Description[] = [];
  let group = '';
  let text = '';
  for (const line of list.split('\n')) {
    if (line.startsWith('## ')) group = line.slice(3);
    else if (line.startsWith('# ') || line.trim() === '') continue;
    else if (/^[=?!] /.test(line)) {
      found.push({ place: found.length + 1, group, text, sign: line[0] as '=', meant: line.slice(2) });
      text = '';
    } else text = text === '' ? line : `${text}\n${line}`;
  }
  return found;
}

export function judge(
  description: Description,
  market: readonly NamedInstrument[],
): { readonly verdict: Verdict; readonly gave: string } {
  const read = readStrategy({ messages: [description.text], answers: [] }, market);
  const gave = sketchOf(read, description.text);
  if (read.outcome === 'ready')
    return {
      verdict:
        description.sign === '=' && isSameSketch(expanded(description.meant, market), gave)
          ? 'meant'
          : 'wrong',
      gave,
    };
  const sign = read.outcome === 'asks' ? '?' : '!';
  const isMeant = sign === description.sign && namesPlace(read, description);
  return { verdict: isMeant ? 'meant' : 'asked', gave: `${sign} ${gave}` };
}

/** Whether one of the places that it points at is the one that is meant. */
function namesPlace(read: ReadStrategy, { text, meant }: Description): boolean {
  const places = [...read.questions, ...read.refusals].flatMap(({ spans }) =>
    spans.map(({ from, to }) => text.slice(from, to)),
  );
  const topics = read.questions.map(({ topic }) => topic as string);
  const wanted = plain(meant);
  return (
    topics.includes(wanted) ||
    places.some(
      (place) => plain(place).includes(wanted) || (plain(place).length > 2 && wanted.includes(plain(place))),
    )
  );
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%/ -]+/gu, '')
    .trim();
}

function isSameSketch(one: string, other: string): boolean {
  const sorted = (sketch: string) =>
    sketch
      .split(';')
      .map((part) => part.trim())
      .sort()
      .join('; ');
  return sorted(one) === sorted(other);
}

function sketchOf(read: ReadStrategy, text: string): string {
  if (read.outcome !== 'ready') {
    const points = [
      ...read.questions.map(({ topic, spans }) => [topic, spans] as const),
      ...read.refusals.map(({ sentence, spans }) => [sentence.slice(0, 30), spans] as const),
    ];
    return points
      .map(([topic, spans]) => `${topic}(${spans.map(({ from, to }) => text.slice(from, to)).join(' | ')})`)
      .join(', ');
  }
  const parts = sketch(read.definition!);
  const { targetReturn, minimumInvestment } = read.wishes;
  if (targetReturn !== undefined) parts.push(`aim ${targetReturn}`);
  if (minimumInvestment !== undefined) parts.push(`min ${minimumInvestment}`);
  return parts.join('; ');
}

function sketch(definition: StrategyDefinition): string[] {
  const { rule, weighting, exits, schedule, options } = definition;
  const words = (condition: Condition): string => conditionWords(condition, definition);
  const parts = [`on ${[...definition.universe].sort().join(' ')}`];
  if (options !== undefined) parts.push(`options ${options.structure} ${options.strikePercent}`);
  if (rule.type === 'ranking') {
    parts.push(`rank ${featureWords(definition.features[rule.by]!)}`, `top ${rule.top}`);
    if (rule.where) parts.push(`where ${words(rule.where)}`);
  }
  if (rule.type === 'pairs') {
    const [pair] = rule.pairs;
    parts.push(
      [
        'pairs',
        `${pair!.first}/${pair!.second}`,
        rule.length,
        rule.enterAt,
        rule.exitAt,
        ...(rule.stopAt ? [rule.stopAt] : []),
      ].join(' '),
    );
  }
  if (rule.type === 'signals') {
    const isAlways = rule.enterLong !== undefined && words(rule.enterLong) === 'close>0';
    if (isAlways && options === undefined) parts.push('in always');
    for (const [name, condition] of isAlways
      ? []
      : ([
          ['in', rule.enterLong],
          ['out', rule.exitLong],
          ['short', rule.enterShort],
          ['cover', rule.exitShort],
        ] as const))
      if (condition) parts.push(`${name} ${words(condition)}`);
  }
  if (schedule.every !== 'day') parts.push(`every ${schedule.every}`);
  if (exits.stopPercent !== undefined) parts.push(`stop ${exits.stopPercent}`);
  if (exits.targetPercent !== undefined) parts.push(`target ${exits.targetPercent}`);
  if (exits.maxBars !== undefined) parts.push(`days ${exits.maxBars}`);
  if (weighting.type === 'inverse_volatility') parts.push('size inverse');
  if (weighting.type === 'volatility_target') parts.push(`size vol ${weighting.annualPercent}`);
  if (weighting.type === 'fixed')
    parts.push(
      `size ${Object.entries(weighting.weights)
        .map(([symbol, share]) => `${symbol} ${share}`)
        .join(' ')}`,
    );
  if (definition.gross !== (options === undefined ? 1 : 0.95)) parts.push(`gross ${definition.gross}`);
  return parts;
}

/** "shares -TSLA" as the symbols that it stands for. */
function expanded(meant: string, market: readonly NamedInstrument[]): string {
  return meant
    .split(';')
    .map((part) => {
      const [on, kind = '', ...less] = part.trim().split(' ');
      if (on !== 'on') return part;
      const all = market.filter((one) => isOfKind(one, kind)).map(({ symbol }) => symbol);
      const named = all.length === 0 ? [kind, ...less] : all.filter((symbol) => !less.includes(`-${symbol}`));
      return `on ${[...named].sort().join(' ')}`;
    })
    .join('; ');
}

const SIGNS = {
  above: '>',
  below: '<',
  at_least: '>=',
  at_most: '<=',
  crosses_above: ' x> ',
  crosses_below: ' x< ',
} as const;

function conditionWords(condition: Condition, definition: StrategyDefinition): string {
  if (!('left' in condition)) {
    if (condition.op === 'not') return `not(${conditionWords(condition.of, definition)})`;
    return condition.of
      .map((one) => conditionWords(one, definition))
      .join(condition.op === 'all' ? ' & ' : ' | ');
  }
  const words = (operand: number | string) => {
    const feature = definition.features[operand];
    return feature ? featureWords(feature) : String(operand);
  };
  return `${words(condition.left)}${SIGNS[condition.op]}${words(condition.right)}`;
}

function featureWords(feature: Feature): string {
  const of = feature.symbol === undefined ? '' : `@${feature.symbol}`;
  if (feature.indicator === 'sma' && feature.length === 1) return `close${of}`;
  const names: Partial<Record<Feature['indicator'], string>> = {
    volatility: 'vol',
    zscore: 'z',
    stochastic: 'stoch',
    drawdown: 'dd',
  };
  if (feature.indicator === 'macd') return feature.output === 'line' ? 'macd' : 'macdsignal';
  if (feature.indicator === 'bollinger') return `bb${feature.output}${feature.length}`;
  if (feature.indicator === 'donchian')
    return `${feature.output === 'upper' ? 'dhigh' : 'dlow'}${feature.length}${of}`;
  const length = 'length' in feature ? feature.length : '';
  const price = 'of' in feature && feature.of !== undefined ? feature.of : '';
  return `${names[feature.indicator] ?? feature.indicator}${length}${price}${feature.lag ? `~${feature.lag}` : ''}${of}`;
}
