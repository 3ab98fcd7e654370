// Phrases that fill one slot of a strategy: stops, targets, sizes, schedules, holding times, options, pairs, wishes.
import type { BuilderRisk, OptionStructure, Style } from '../builder-input.ts';
import { lengthAt, periodAt, termAt, type TermPlace } from './terms.ts';
import type { Token } from './token.ts';

export type Slots = {
  every: 'day' | 'week' | 'month';
  stopPercent: number | 'none';
  targetPercent: number;
  maxBars: number;
  sizing: 'equal' | 'inverse' | number;
  /** Of the money, as a fraction. */
  gross: number;
  /** Of the money in one position, in percent. */
  cap: number;
  direction: 'long' | 'long_short' | 'short';
  risk: BuilderRisk;
  aim: number;
  drawdown: number;
  minimum: number;
  style: Style;
  hold: true;
  options: { readonly structure: OptionStructure; readonly strikePercent?: number };
  pair: true;
  enterAt: number;
  exitAt: number;
  stopAt: number;
  spreadLength: number;
  /** Percent of the money for each. */
  each: number;
  momentumBars: number;
  trendBars: number;
};

export type Slot = {
  [Name in keyof Slots]: { readonly slot: Name; readonly value: Slots[Name] };
}[keyof Slots];

export type Phrase = { readonly fills: readonly Slot[]; readonly next: number };

type Reader = (tokens: readonly Token[], at: number, place: PhrasePlace) => Phrase | null;

export type PhrasePlace = TermPlace & {
  readonly sells: boolean;
  readonly isPair: boolean;
  readonly isOptions: boolean;
};

export function phraseAt(tokens: readonly Token[], at: number, place: PhrasePlace): Phrase | null {
  return READERS.reduce<Phrase | null>((found, read) => found ?? read(tokens, at, place), null);
}

const fill = (next: number, ...fills: readonly Slot[]): Phrase => ({ fills, next });

type Percent = Token & { readonly form: 'percent' };

const isPercent = (token: Token | undefined): token is Percent => token?.form === 'percent';
const isSmallShare = (token: Token | undefined): token is Token =>
  token !== undefined && (token.form === 'percent' || (token.form === 'fraction' && token.number! < 50));

/** Passes words that only lead to the number. */
function numberFrom(tokens: readonly Token[], at: number): number {
  let next = at;
  while (
    ['period', 'compare', 'when', 'fall', 'rise', 'price'].includes(tokens[next]?.category ?? '') &&
    next < at + 3
  )
    next++;
  return next;
}

const stop: Reader = (tokens, at, { sells }) => {
  const token = tokens[at];
  if (token?.category === 'stop') {
    const number = numberFrom(tokens, at + 1);
    if (isSmallShare(tokens[number]))
      return fill(number + 1, { slot: 'stopPercent', value: tokens[number].number! });
    return null;
  }
  if (!isPercent(token)) return null;
  if (tokens[at + 1]?.category === 'stop') return fill(at + 2, { slot: 'stopPercent', value: token.number! });
  return sells && tokens[at + 1]?.category === 'fall'
    ? fill(at + 2, { slot: 'stopPercent', value: token.number! })
    : null;
};

const target: Reader = (tokens, at) => {
  const token = tokens[at];
  if (token?.category === 'target') {
    const number = numberFrom(tokens, at + 1);
    return isSmallShare(tokens[number])
      ? fill(number + 1, { slot: 'targetPercent', value: tokens[number].number! })
      : null;
  }
  return isPercent(token) && tokens[at + 1]?.category === 'target'
    ? fill(at + 2, { slot: 'targetPercent', value: token.number! })
    : null;
};

/** "sized to 10% yearly volatility", "volatility target of 10%". */
const volatility: Reader = (tokens, at, place) => {
  const token = tokens[at];
  if (token?.category === 'target' && isPercent(tokens[at + 1])) return volatility(tokens, at + 1, place);
  if (isPercent(token)) {
    const noun = tokens[at + 1]?.category === 'wish' ? at + 2 : at + 1;
    const isVolatility = tokens[noun]?.value === 'volatility';
    return isVolatility ? fill(noun + 1, { slot: 'sizing', value: token.number! }) : null;
  }
  if (token?.value !== 'volatility') return null;
  const number =
    tokens[at + 1]?.category === 'target' || tokens[at + 1]?.category === 'period' ? at + 2 : at + 1;
  return isPercent(tokens[number])
    ? fill(number + 1, { slot: 'sizing', value: tokens[number].number! })
    : null;
};

/** "at most 30% of the money", "half my capital", "30 percent of the money in cash". */
const money: Reader = (tokens, at) => {
  const first = tokens[at];
  const bound =
    first?.category === 'compare' && (first.value === 'at_most' || first.value === 'below') ? at + 1 : at;
  const number = tokens[bound];
  if (!isPercent(number) && number?.form !== 'fraction') return null;
  const period = tokens[bound + 1]?.category === 'period' ? bound + 2 : bound + 1;
  const noun = tokens[period];
  if (noun?.value !== 'money' || noun.category !== 'size') {
    const after = tokens[period];
    const isCash = after?.value === 'cash' && after.category === 'action';
    return isCash ? fill(period + 1, { slot: 'gross', value: fraction(100 - number!.number!) }) : null;
  }
  if (tokens[period + 1]?.value === 'each') return null;
  const after = tokens[period + 1]?.category === 'period' ? period + 2 : period + 1;
  const isCash = tokens[after]?.value === 'cash';
  return fill(isCash ? after + 1 : period + 1, {
    slot: 'gross',
    value: fraction(isCash ? 100 - number!.number! : number!.number!),
  });
};

function fraction(percent: number): number {
  return Math.round(percent * 100) / 10_000;
}

/** "cap 40%", "at most 10% in each". */
const cap: Reader = (tokens, at) => {
  const token = tokens[at];
  const isCap = token?.category === 'size' && token.value === 'cap';
  if (isCap) {
    const number = numberFrom(tokens, at + 1);
    return isPercent(tokens[number])
      ? fill(number + 1, { slot: 'cap', value: tokens[number].number! })
      : null;
  }
  const isBound = token?.category === 'compare' && (token.value === 'at_most' || token.value === 'below');
  if (!isBound || !isPercent(tokens[at + 1])) return null;
  let next = at + 2;
  while (tokens[next]?.category === 'period' || tokens[next]?.value === 'money') next++;
  return tokens[next]?.value === 'each'
    ? fill(next + 1, { slot: 'cap', value: tokens[at + 1]!.number! })
    : null;
};

/** "momentum over 6 months". */
const momentum: Reader = (tokens, at, place) => {
  if (tokens[at]?.value !== 'momentum') return null;
  const length = periodAt(tokens, at + 1, place);
  if (length === null || tokens[length.next]?.category === 'average') return null;
  return fill(
    length.next,
    { slot: 'style', value: 'momentum' },
    { slot: 'momentumBars', value: length.value },
  );
};

/** "trend following, 100-day average". */
const trend: Reader = (tokens, at, place) => {
  if (!tokens.some(({ value }) => value === 'trend_following')) return null;
  const term = termAt(tokens, at, place);
  const isAverage = term !== null && typeof term.value === 'object' && term.value.indicator === 'sma';
  if (!isAverage || !['end', 'comma', 'and', undefined].includes(tokens[term.next]?.category)) return null;
  if (['compare', 'cross', 'and'].includes(tokens[at - 1]?.category ?? '')) return null;
  return fill(term.next, { slot: 'trendBars', value: (term.value as { readonly length: number }).length });
};

const size: Reader = (tokens, at) => {
  const token = tokens[at];
  if (token?.category !== 'size' || token.value === 'money' || token.value === 'cap') return null;
  return fill(at + 1, { slot: 'sizing', value: token.value as 'equal' | 'inverse' });
};

const schedule: Reader = (tokens, at) => {
  const token = tokens[at];
  return token?.category === 'schedule'
    ? fill(at + 1, { slot: 'every', value: token.value as Slots['every'] })
    : null;
};

/** "after 5 days", "for a week", "hold max 20 days". */
const holding: Reader = (tokens, at, place) => {
  const token = tokens[at];
  if (place.sells && token?.value === 'next') return fill(at + 1, { slot: 'maxBars', value: 1 });
  const later = place.sells ? lengthAt(tokens, at, place) : null;
  if (later !== null && tokens[later.next]?.value === 'later')
    return fill(later.next + 1, { slot: 'maxBars', value: later.value });
  const leads =
    token?.category === 'period'
      ? /^for$/i.test(token.text)
      : token?.category === 'when'
        ? /^after$/i.test(token.text)
        : isBoundedHold(tokens, at);
  if (!leads) return null;
  let from = at + 1;
  while (tokens[from]?.category === 'period' || tokens[from]?.category === 'compare') from++;
  const length = lengthAt(tokens, from, place, true);
  if (length === null) return null;
  const after = tokens[length.next]?.category ?? 'end';
  if (
    ['rise', 'fall', 'extreme', 'measure', 'average', 'indicator', 'unsupported', 'rank', 'style'].includes(
      after,
    )
  )
    return null;
  return fill(length.next, { slot: 'maxBars', value: length.value });
};

function isBoundedHold(tokens: readonly Token[], at: number): boolean {
  const isHold = tokens[at]?.category === 'action' && tokens[at]!.value === 'hold';
  const number =
    tokens[at + 1]?.category === 'compare' || tokens[at + 1]?.category === 'period' ? at + 2 : at + 1;
  return isHold && tokens[number]?.category === 'number' && tokens[number + 1]?.category === 'unit';
}

/** "covered calls 5% above the price", "puts 10% below the market", "calls 3% out of the money". */
const options: Reader = (tokens, at) => {
  const token = tokens[at];
  const share = isPercent(token) ? optionNoun(tokens, at + 1) : null;
  if (share !== null)
    return fill(share.next, {
      slot: 'options',
      value: { structure: share.structure, strikePercent: strike(share.structure, token!.number!) },
    });
  const noun = optionNoun(tokens, at);
  if (noun === null) return null;
  return fill(noun.next, { slot: 'options', value: { structure: noun.structure } });
};

/** Puts that are sold are secured by cash; puts that are bought protect what is held; calls that are bought are neither. */
function soldOrBought(tokens: readonly Token[], at: number): OptionStructure | null {
  const token = tokens[at]!;
  const structure = token.value as OptionStructure;
  if (/covered|write|writ|secured|protective|insurance|hedging|sell/i.test(token.text)) return structure;
  const clause = tokens.slice(0, at).reverse();
  const ends = clause.findIndex(({ category }) => category === 'comma' || category === 'end');
  const before = ends < 0 ? clause : clause.slice(0, ends);
  const action = before.find(({ category }) => category === 'action');
  const isSold = action?.value === 'sell' || action?.value === 'short';
  if (structure === 'protective_put') {
    if (isSold) return 'cash_secured_put';
    return action?.value === 'buy' && !tokens.some(({ value }) => value === 'protect' || value === 'hold')
      ? null
      : structure;
  }
  return action?.value === 'buy' ? null : structure;
}

function optionNoun(
  tokens: readonly Token[],
  at: number,
): { readonly structure: OptionStructure; readonly next: number } | null {
  const from = tokens[at]?.value === 'otm' ? at + 1 : at;
  const token = tokens[from];
  const structure = token?.category === 'option' ? soldOrBought(tokens, from) : null;
  return structure === null ? null : { structure, next: from + 1 };
}

/** A strike by itself, where options were named. */
const strikes: Reader = (tokens, at, { isOptions }) => {
  const token = tokens[at];
  if (!isOptions || !isPercent(token)) return null;
  const side = tokens[at + 1];
  if (side?.value === 'otm')
    return fill(at + 2, {
      slot: 'options',
      value: { structure: 'covered_call', strikePercent: token.number! },
    });
  const spot = side?.category === 'period' ? tokens[at + 2] : undefined;
  if (spot?.category === 'price')
    return fill(at + 3, {
      slot: 'options',
      value: { structure: 'covered_call', strikePercent: token.number! },
    });
  if (side?.category !== 'compare') return null;
  let next = at + 2;
  const noun = tokens[next];
  if (noun?.category === 'price' || (noun?.category === 'instrument' && /market/i.test(noun.text))) next++;
  const value = side.value === 'above' ? 100 + token.number! : 100 - token.number!;
  return fill(next, {
    slot: 'options',
    value: { structure: side.value === 'above' ? 'covered_call' : 'protective_put', strikePercent: value },
  });
};

export function strike(structure: OptionStructure, percentOut: number): number {
  return structure === 'covered_call' ? 100 + percentOut : 100 - percentOut;
}

/** "enter at 2 standard deviations", "exit at 0.5", "60 days", of a pair. */
const pairs: Reader = (tokens, at, place) => {
  if (tokens[at]?.category === 'pair' && place.isOptions) return fill(at + 1);
  if (tokens[at]?.category === 'pair')
    return arePairs(tokens) ? fill(at + 1, { slot: 'pair', value: true }) : fill(at + 1);
  if (!place.isPair) return null;
  const length = periodAt(tokens, at, place) ?? lengthAt(tokens, at, place);
  if (length !== null) return fill(length.next, { slot: 'spreadLength', value: length.value });
  return levelOfPair(tokens, at);
};

/** Two against each other; a currency pair alone is none. */
function arePairs(tokens: readonly Token[]): boolean {
  const says = (token: Token) =>
    token.category === 'deviation' ||
    (token.category === 'pair' && /vs|versus|against|spread|trad/i.test(token.text));
  return tokens.some(says);
}

const LEADS: Readonly<Record<string, 'enterAt' | 'exitAt'>> = {
  buy: 'enterAt',
  hold: 'enterAt',
  trade: 'enterAt',
  sell: 'exitAt',
  cover: 'exitAt',
};

function levelOfPair(tokens: readonly Token[], at: number): Phrase | null {
  const token = tokens[at];
  const isStop = token?.category === 'stop' || token?.category === 'unknown';
  const slot = isStop
    ? 'stopAt'
    : token?.category === 'action'
      ? LEADS[token.value]
      : token?.value === 'in'
        ? 'enterAt'
        : undefined;
  if (slot !== undefined) {
    let next = at + 1;
    while (
      ['when', 'period', 'unknown', 'compare', 'action', 'extreme'].includes(tokens[next]?.category ?? '') &&
      next < at + 3
    )
      next++;
    const level = deviationsAt(tokens, next);
    return level === null || (isStop && !/^(?:stop|give|quit|abandon)/i.test(token!.text))
      ? null
      : fill(level.next, { slot, value: level.value });
  }
  const level = deviationsAt(tokens, at);
  if (level === null) return null;
  const after = tokens[level.next];
  const isOut = after?.category === 'action' && after.value === 'sell';
  const isIn =
    (after?.category === 'period' && /^in$/i.test(after.text)) ||
    (after?.category === 'action' && after.value === 'buy');
  const isSaid = tokens[level.next - 1]!.category === 'deviation';
  if (!isIn && !isOut && !isSaid) return null;
  return fill(isIn || isOut ? level.next + 1 : level.next, {
    slot: isOut ? 'exitAt' : 'enterAt',
    value: level.value,
  });
}

function deviationsAt(
  tokens: readonly Token[],
  at: number,
): { readonly value: number; readonly next: number } | null {
  const token = tokens[at];
  if (
    token?.category !== 'number' ||
    token.form === 'percent' ||
    token.form === 'money' ||
    tokens[at + 1]?.category === 'unit'
  )
    return null;
  const value = token.form === 'fraction' ? token.number! / 100 : token.number!;
  return { value, next: tokens[at + 1]?.category === 'deviation' ? at + 2 : at + 1 };
}

const wishes: Reader = (tokens, at) => {
  const token = tokens[at];
  if (token?.category === 'wish') return wishFirst(tokens, at);
  if (token?.category === 'number' && token.form === 'money' && tokens[at + 1]?.value === 'minimum')
    return fill(at + 2, { slot: 'minimum', value: token.number! });
  const bound = token?.category === 'compare' ? at + 1 : at;
  const number = tokens[bound];
  if (!isPercent(number)) return null;
  const noun = tokens[bound + 1]?.category === 'measure' ? tokens[bound + 2] : tokens[bound + 1];
  const skipped = tokens[bound + 1]?.category === 'measure' ? 1 : 0;
  if (noun?.value === 'drawdown') return fill(bound + 2, { slot: 'drawdown', value: number.number! });
  if (noun?.category === 'wish' && noun.value === 'return' && tokens[bound + 2]?.value !== 'volatility') {
    const after = tokens[bound + 2]?.category === 'measure' ? bound + 3 : bound + 2;
    return fill(after + skipped, { slot: 'aim', value: number.number! });
  }
  return null;
};

function wishFirst(tokens: readonly Token[], at: number): Phrase | null {
  const { value } = tokens[at]!;
  const number = numberFrom(tokens, at + 1);
  const token = tokens[number];
  if (value === 'minimum') {
    const isMoney =
      token?.category === 'number' &&
      (token.form === 'money' || token.form === 'plain') &&
      token.number! >= 100;
    return isMoney && tokens[number + 1]?.category !== 'unit'
      ? fill(number + 1, { slot: 'minimum', value: token.number! })
      : null;
  }
  if (!isPercent(token) || (value === 'return' && !/return/i.test(tokens[at]!.text))) return null;
  return fill(
    number + 1,
    value === 'drawdown' ? { slot: 'drawdown', value: token.number! } : { slot: 'aim', value: token.number! },
  );
}

const labels: Reader = (tokens, at) => {
  const token = tokens[at];
  if (token?.category === 'style') return fill(at + 1, { slot: 'style', value: token.value as Style });
  if (token?.category === 'risk') return fill(at + 1, { slot: 'risk', value: token.value as BuilderRisk });
  if (token?.category !== 'side') return null;
  const direction = token.value === 'both' ? 'long_short' : token.value === 'long' ? 'long' : 'short';
  return fill(at + 1, { slot: 'direction', value: direction });
};

/** Once a pair is named, its numbers are read first. */
const READERS: readonly Reader[] = [
  pairs,
  strikes,
  options,
  holding,
  momentum,
  trend,
  volatility,
  cap,
  money,
  stop,
  target,
  wishes,
  size,
  schedule,
  labels,
];
