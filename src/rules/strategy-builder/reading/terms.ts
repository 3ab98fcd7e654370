// The two sides of a condition, and the words that make one: averages, indicators, bands, highs and lows, changes.
import type { Comparison, Feature, PriceName } from '#engine/strategy/definition.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Span, Token } from './token.ts';

/** A number, a price of the instrument itself, or what is measured. */
export type Term = number | PriceName | Feature;

export type Test = {
  readonly op: Comparison;
  readonly left: Term;
  readonly right: Term;
  readonly spans: readonly Span[];
};

export type At<Value> = { readonly value: Value; readonly next: number };

/** What the words around decide. */
export type TermPlace = {
  readonly daysOf: Readonly<Record<string, number>>;
  /** Said earlier, for words that leave it out. */
  readonly lengths: { [indicator: string]: number };
};

export const DAYS = { day: 1, week: 5, month: 21, quarter: 63, year: 252 } as const;
export const COIN_DAYS = { day: 1, week: 7, month: 30, quarter: 90, year: 365 } as const;

/** A number of bars: "50 days", "half a year", "a quarter"; `isBare` takes a unit without a number for one of it. */
export function lengthAt(
  tokens: readonly Token[],
  at: number,
  place: TermPlace,
  isBare = false,
): At<number> | null {
  const token = tokens[at];
  if (isYear(token) && isBare) return { value: place.daysOf['year']!, next: at + 1 };
  if (token?.category === 'unit' && isBare) return { value: place.daysOf[token.value]!, next: at + 1 };
  if (token?.category !== 'number' || (token.form !== 'plain' && token.form !== 'fraction')) return null;
  const unit = tokens[at + 1];
  const count = token.form === 'fraction' ? token.number! / 100 : token.number!;
  if (isYear(unit) && token.form === 'fraction')
    return { value: Math.round(count * place.daysOf['year']!), next: at + 2 };
  if (unit?.category !== 'unit') return null;
  const isWholeYear = unit.value === 'week' && count === 52;
  const bars = isWholeYear ? place.daysOf['year']! : Math.round(count * place.daysOf[unit.value]!);
  return { value: bars, next: at + 2 };
}

/** "a year", which may also end a wish: "12% a year". */
function isYear(token: Token | undefined): boolean {
  return token?.category === 'wish' && /^a\s+year$/i.test(token.text);
}

/** "over the last 6 months", "of the last quarter", "last 4 weeks". */
export function periodAt(tokens: readonly Token[], at: number, place: TermPlace): At<number> | null {
  let next = at;
  while (tokens[next]?.category === 'period' || /^(?:over|past)$/i.test(tokens[next]?.text ?? '')) next++;
  if (next === at) return null;
  return lengthAt(tokens, next, place, true);
}

export function termAt(tokens: readonly Token[], at: number, place: TermPlace): At<Term> | null {
  return (
    lengthFirst(tokens, at, place) ??
    averageAt(tokens, at, place) ??
    indicatorAt(tokens, at, place) ??
    bandAt(tokens, at, place, 20) ??
    extremeAt(tokens, at, place) ??
    changeAt(tokens, at, place) ??
    plainAt(tokens, at)
  );
}

/** "50-day average", "14-day RSI", "3-month return", "20-day high". */
function lengthFirst(tokens: readonly Token[], at: number, place: TermPlace): At<Term> | null {
  const first = tokens[at];
  const found = lengthAt(tokens, at, place);
  const isBareNumber = first?.category === 'number' && first.form === 'plain';
  const length = found?.value ?? (isBareNumber ? first.number! : null);
  const noun = tokens[found?.next ?? at + 1];
  if (length === null || noun === undefined) return null;
  const next = (found?.next ?? at + 1) + 1;
  if (noun.category === 'average') return averageOf(tokens, { noun, length, next });
  if (found === null) return null;
  if (noun.category === 'indicator') return measured(noun.value, length, { next, place });
  if (noun.category === 'band') return bandAt(tokens, next - 1, place, length);
  if (noun.category === 'measure') return { value: { indicator: 'roc', length }, next };
  const side = sideOf(noun);
  return side === null ? null : { value: donchian(length, side), next };
}

function averageOf(
  tokens: readonly Token[],
  { noun, length, next }: { readonly noun: Token; readonly length: number; readonly next: number },
): At<Term> {
  const indicator = noun.value === 'ema' || noun.value === 'wma' ? noun.value : 'sma';
  const isVolume = tokens[next]?.value === 'volume';
  return {
    value: { indicator, length, ...(isVolume ? { of: 'volume' } : {}) } as Feature,
    next: isVolume ? next + 1 : next,
  };
}

/** "SMA(50)", "the mean of the last 100 sessions". */
function averageAt(tokens: readonly Token[], at: number, place: TermPlace): At<Term> | null {
  const noun = tokens[at];
  if (noun?.category !== 'average') return null;
  const found = periodAt(tokens, at + 1, place) ?? lengthAt(tokens, at + 1, place);
  const bare = tokens[at + 1];
  if (found !== null) return averageOf(tokens, { noun, length: found.value, next: found.next });
  if (bare?.category === 'number' && bare.form === 'plain')
    return averageOf(tokens, { noun, length: bare.number!, next: at + 2 });
  return null;
}

function indicatorAt(tokens: readonly Token[], at: number, place: TermPlace): At<Term> | null {
  const noun = tokens[at];
  if (noun?.category !== 'indicator') return null;
  if (noun.value === 'volume') return { value: 'volume', next: at + 1 };
  const found = periodAt(tokens, at + 1, place) ?? lengthAt(tokens, at + 1, place);
  if (found !== null) return measured(noun.value, found.value, { next: found.next, place });
  const bare = tokens[at + 1];
  const isLength = bare?.category === 'number' && bare.form === 'plain' && isLengthOf(tokens, at);
  const length = isLength
    ? bare.number!
    : (place.lengths[noun.value] ?? (noun.value === 'volatility' ? 21 : 14));
  return measured(noun.value, length, { next: isLength ? at + 2 : at + 1, place });
}

/** "RSI(14)" and "RSI 14 under 30" give a length; "sell at RSI 60" a threshold. */
function isLengthOf(tokens: readonly Token[], at: number): boolean {
  const gap = tokens[at + 1]!.from - tokens[at]!.to;
  const after = tokens[at + 2]?.category ?? '';
  return (
    (gap === 0 && tokens[at + 1]!.number! <= 30) ||
    (gap > 0 && ['compare', 'cross', 'action', 'mark', 'not', 'rise', 'fall'].includes(after)) ||
    isBracketed(tokens, at)
  );
}

function isBracketed(tokens: readonly Token[], at: number): boolean {
  return tokens[at + 1]!.bracketed === true;
}

function measured(
  value: string,
  length: number,
  { next, place }: { readonly next: number; readonly place: TermPlace },
): At<Term> | null {
  const output = { macd: 'line', signal: 'signal', histogram: 'histogram' }[value] as
    | 'line'
    | 'signal'
    | 'histogram'
    | undefined;
  if (output !== undefined)
    return { value: { indicator: 'macd', fast: 12, slow: 26, signal: 9, output }, next };
  place.lengths[value] = length;
  if (value === 'stochastic')
    return { value: { indicator: 'stochastic', length, smooth: 3, signal: 3, output: 'k' }, next };
  if (value === 'adx') return { value: { indicator: 'adx', length, output: 'adx' }, next };
  if (value === 'rsi' || value === 'zscore') return { value: { indicator: value, length }, next };
  return value === 'volatility' ? { value: { indicator: 'volatility', length }, next } : null;
}

/** "its lower Bollinger band (20 days, 2 deviations)". */
function bandAt(tokens: readonly Token[], at: number, place: TermPlace, usual: number): At<Term> | null {
  const noun = tokens[at];
  if (noun?.category !== 'band') return null;
  const output = noun.value as 'lower' | 'upper' | 'middle';
  const length = lengthAt(tokens, at + 1, place);
  let next = length?.next ?? at + 1;
  let deviations = 2;
  const from = tokens[next]?.category === 'comma' ? next + 1 : next;
  if (tokens[from]?.category === 'number' && tokens[from + 1]?.category === 'deviation') {
    deviations = tokens[from]!.number!;
    next = from + 2;
  }
  return { value: { indicator: 'bollinger', length: length?.value ?? usual, deviations, output }, next };
}

/** "the highest price of the last 100 days". */
function extremeAt(tokens: readonly Token[], at: number, place: TermPlace): At<Term> | null {
  const side = sideOf(tokens[at]);
  if (side === null) return null;
  const isDoubled = tokens[at + 1]?.category === 'price' || tokens[at + 1]?.category === 'extreme';
  const next = isDoubled ? at + 2 : at + 1;
  const found = periodAt(tokens, next, place);
  return found && { value: donchian(found.value, side), next: found.next };
}

/** "return over the past year". */
function changeAt(tokens: readonly Token[], at: number, place: TermPlace): At<Term> | null {
  if (tokens[at]?.category !== 'measure') return null;
  const found = periodAt(tokens, at + 1, place);
  return found && { value: { indicator: 'roc', length: found.value }, next: found.next };
}

function plainAt(tokens: readonly Token[], at: number): At<Term> | null {
  const token = tokens[at];
  if (token?.category === 'price') return { value: 'close', next: at + 1 };
  if (token?.category === 'number' && token.form !== 'fraction')
    return { value: token.form === 'percent' ? token.number! / 100 : token.number!, next: at + 1 };
  return null;
}

/** Also the superlatives "highest" and "lowest". */
export function sideOf(token: Token | undefined): 'upper' | 'lower' | null {
  if (token?.category === 'extreme') return token.value === 'high' ? 'upper' : 'lower';
  if (token?.category === 'rank' && /^(?:highest|lowest)$/i.test(token.text))
    return token.value === 'top' ? 'upper' : 'lower';
  return null;
}

export function donchian(length: number, output: 'upper' | 'lower'): Feature {
  return { indicator: 'donchian', length, output };
}

/** The same measure of another instrument. */
export function termOf(term: Term, symbol: string | null): Term {
  if (symbol === null || typeof term === 'number') return term;
  if (typeof term === 'string')
    return {
      indicator: 'sma',
      length: 1,
      symbol: symbol as Symbol,
      ...(term === 'close' ? {} : { of: term }),
    };
  return { ...term, symbol: symbol as Symbol };
}

export const OPPOSITES = {
  above: 'below',
  below: 'above',
  at_least: 'below',
  at_most: 'above',
  crosses_above: 'crosses_below',
  crosses_below: 'crosses_above',
} as const satisfies Record<Comparison, Comparison>;

/** Exactly what is left when it does not hold. */
export const NEGATIONS = {
  above: 'at_most',
  below: 'at_least',
  at_least: 'below',
  at_most: 'above',
  crosses_above: 'at_most',
  crosses_below: 'at_least',
} as const satisfies Record<Comparison, Comparison>;

/** The other way round, said by other words. */
export function turnedAt(test: Test, spans: readonly Span[]): Test {
  return { ...test, op: OPPOSITES[test.op], spans };
}
