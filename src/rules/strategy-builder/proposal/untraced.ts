// Numbers and instruments of a proposal that neither the text nor a stated default gives. They may be right, and are shown as assumed.
import type { Feature, StrategyDefinition } from '#engine/strategy/definition.ts';
import type { ReadStrategy } from '../reading/conversation.ts';
import { tokensOf } from '../reading/lexer.ts';
import type { NamedInstrument } from '../reading/market-names.ts';
import type { Assumed } from '../reading/said.ts';
import { COIN_DAYS, DAYS } from '../reading/terms.ts';
import type { Token } from '../reading/token.ts';
import { isOfKind } from '../reading/universe.ts';
import { vocabularyOf } from '../reading/vocabulary.ts';

type Place = {
  readonly texts: readonly string[];
  readonly instruments: readonly NamedInstrument[];
  readonly read: ReadStrategy;
};

export function untracedOf(definition: StrategyDefinition, place: Place): readonly Assumed[] {
  const vocabulary = vocabularyOf(place.instruments);
  const tokens = place.texts.flatMap((text, message) => tokensOf(text, message, vocabulary));
  const said = numbersSaid(tokens);
  const numbers = numbersOf(definition).filter(
    ({ value, usual }) =>
      !usual.includes(value) && ![value, value * 100, value / 100].some((one) => said.has(rounded(one))),
  );
  return [
    ...strangersOf(definition, tokens, place),
    ...numbers.map(({ part, name, value }) => ({ part, text: `${name} ${rounded(value)} was not said` })),
    ...(sellsShort(definition) && !place.read.heard.some(speaksOfShorts)
      ? [{ part: 'direction', text: 'That it sells short was not said' }]
      : []),
  ];
}

const sellsShort = ({ rule }: StrategyDefinition) => rule.type === 'signals' && rule.enterShort !== undefined;

const speaksOfShorts = (heard: ReadStrategy['heard'][number]) =>
  (heard.what === 'test' && heard.role === 'enterShort') ||
  (heard.what === 'slot' && heard.slot === 'direction');

/** Each number in figures or words, and as so many of each unit that was said. */
function numbersSaid(tokens: readonly Token[]): ReadonlySet<number> {
  const plain = tokens.flatMap(({ number, form }) =>
    number === undefined ? [] : form === 'fraction' ? [number, number / 100] : [number],
  );
  const units = tokens.flatMap(({ category, value }) =>
    category === 'unit' && Object.hasOwn(DAYS, value)
      ? [DAYS[value as keyof typeof DAYS], COIN_DAYS[value as keyof typeof COIN_DAYS]]
      : [],
  );
  const years = tokens.some(({ text }) => /\byear/i.test(text)) ? [DAYS.year, COIN_DAYS.year] : [];
  const bars = [...units, ...years];
  const all = [
    ...plain,
    ...bars,
    ...bars.flatMap((unit) => plain.map((number) => Math.round(number * unit))),
  ];
  return new Set([0, ...all.flatMap((number) => [rounded(number), rounded(-number)])]);
}

type Numbered = {
  readonly part: string;
  readonly name: string;
  readonly value: number;
  /** Defaults that the language guide states. */
  readonly usual: readonly number[];
};

function numbersOf(definition: StrategyDefinition): readonly Numbered[] {
  const { features, rule, weighting, gross, exits, options } = definition;
  const found: Numbered[] = [];
  const add = (part: string, name: string, value: number | undefined, ...usual: number[]) => {
    if (value !== undefined) found.push({ part, name, value, usual });
  };
  for (const [name, feature] of Object.entries(features)) {
    const part = partOfFeature(name, definition);
    for (const [field, value] of Object.entries(feature))
      if (typeof value === 'number')
        add(part, `The ${FIELD_WORDS[field] ?? field}`, value, ...usualOf(feature, field));
  }
  if (rule.type === 'ranking') add('rule', 'The number held,', rule.top);
  else if (rule.type === 'pairs') {
    add('rule', 'The length', rule.length, 60);
    add('rule', 'The distance of entry,', rule.enterAt);
    add('rule', 'The distance of exit,', rule.exitAt, 0);
    add('rule', 'The distance to give up,', rule.stopAt);
  } else if (rule.type === 'signals')
    for (const role of ['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const)
      for (const value of JSON.stringify(rule[role] ?? null).match(/(?<="(?:left|right)":)-?[\d.e-]+/g) ?? [])
        add(`rule.${role}`, 'The threshold', Number(value));
  if (weighting.type === 'volatility_target') add('weighting', 'The volatility', weighting.annualPercent);
  if (weighting.type === 'fixed')
    for (const [symbol, share] of Object.entries(weighting.weights))
      add('weighting', `The share of ${symbol},`, share);
  add('gross', 'The part of the money that is invested,', gross, 1);
  add('exits.stopPercent', 'The stop of', exits.stopPercent);
  add('exits.targetPercent', 'The target of', exits.targetPercent);
  add('exits.maxBars', 'The time limit of', exits.maxBars);
  add('options', 'The strike of', options?.strikePercent, options?.structure === 'covered_call' ? 102 : 95);
  return found;
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  length: 'length of',
  lag: 'delay of',
  deviations: 'width of',
};

/** As the grammar fills them in, and the language guide says. */
function usualOf(feature: Feature, field: string): readonly number[] {
  const usual: Readonly<Record<string, readonly number[]>> = {
    'rsi length': [14],
    'adx length': [14],
    'zscore length': [20],
    'bollinger length': [20],
    'bollinger deviations': [2],
    'volatility length': [21],
    'stochastic length': [14],
    'stochastic smooth': [3],
    'stochastic signal': [3],
    'macd fast': [12],
    'macd slow': [26],
    'macd signal': [9],
  };
  return usual[`${feature.indicator} ${field}`] ?? [];
}

function partOfFeature(name: string, { rule }: StrategyDefinition): string {
  if (rule.type !== 'signals') return 'rule';
  const uses = (role: 'enterLong' | 'exitLong' | 'enterShort' | 'exitShort') =>
    JSON.stringify(rule[role] ?? null).includes(JSON.stringify(name));
  const role = (['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const).find(uses);
  return role === undefined ? 'rule' : `rule.${role}`;
}

/** Instruments that no name and no kind in the text stands for. */
function strangersOf(
  { universe, features }: StrategyDefinition,
  tokens: readonly Token[],
  { instruments }: Place,
): readonly Assumed[] {
  const named = new Set(tokens.flatMap(({ symbols }) => symbols ?? []));
  const kinds = tokens.filter(({ category }) => category === 'kind').map(({ value }) => value);
  const isSaid = (symbol: string) =>
    named.has(symbol) ||
    instruments.some((one) => one.symbol === symbol && kinds.some((kind) => isOfKind(one, kind)));
  const strangers = universe.filter((symbol) => !isSaid(symbol));
  const read = Object.values(features).flatMap(({ symbol }) =>
    symbol === undefined || isSaid(symbol) ? [] : symbol,
  );
  return [
    ...(strangers.length === 0
      ? []
      : [
          {
            part: 'universe',
            text: `${listed(strangers)} ${strangers.length === 1 ? 'was' : 'were'} not named`,
          },
        ]),
    ...[...new Set(read)].map((symbol) => ({ part: 'rule', text: `${symbol} was not named` })),
  ];
}

function listed(symbols: readonly string[]): string {
  return symbols.length <= 5 ? symbols.join(', ') : `${symbols.length} instruments`;
}

const rounded = (number: number) => Math.round(number * 1e6) / 1e6;
