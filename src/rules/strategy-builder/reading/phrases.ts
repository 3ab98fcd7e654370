// Phrases that fill one slot of a strategy: stops, targets, sizes, schedules, holding times, options, pairs, wishes.
import {
  fill,
  isPercent,
  isSmallShare,
  numberFrom,
  type Phrase,
  type PhrasePlace,
  type PhraseReader,
  type Slots,
} from './phrase.ts';
import { pairs } from './pair-phrases.ts';
import { options, strikes } from './option-phrases.ts';
import type { BuilderRisk, Style } from '../builder-input.ts';
import { lengthAt, periodAt, termAt } from './terms.ts';
import type { Token } from './token.ts';

export function phraseAt(tokens: readonly Token[], at: number, place: PhrasePlace): Phrase | null {
  return READERS.reduce<Phrase | null>((found, read) => found ?? read(tokens, at, place), null);
}

const stop: PhraseReader = (tokens, at, { sells }) => {
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

const target: PhraseReader = (tokens, at) => {
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
const volatility: PhraseReader = (tokens, at, place) => {
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
const money: PhraseReader = (tokens, at) => {
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
const cap: PhraseReader = (tokens, at) => {
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
const momentum: PhraseReader = (tokens, at, place) => {
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
const trend: PhraseReader = (tokens, at, place) => {
  if (!tokens.some(({ value }) => value === 'trend_following')) return null;
  const term = termAt(tokens, at, place);
  const isAverage = term !== null && typeof term.value === 'object' && term.value.indicator === 'sma';
  if (!isAverage || !['end', 'comma', 'and', undefined].includes(tokens[term.next]?.category)) return null;
  if (['compare', 'cross', 'and'].includes(tokens[at - 1]?.category ?? '')) return null;
  return fill(term.next, { slot: 'trendBars', value: (term.value as { readonly length: number }).length });
};

const size: PhraseReader = (tokens, at) => {
  const token = tokens[at];
  if (token?.category !== 'size' || token.value === 'money' || token.value === 'cap') return null;
  return fill(at + 1, { slot: 'sizing', value: token.value as 'equal' | 'inverse' | 'conviction' });
};

/** "rebalance only when a weight is off by 5%", "when they drift more than 3%", "a rebalancing band of 5%". */
const band: PhraseReader = (tokens, at) => {
  const from = tokens[at]?.category === 'when' ? at + 1 : at;
  if (tokens[from]?.category !== 'drift') return null;
  const number = numberFrom(tokens, from + 1);
  return isPercent(tokens[number]) ? fill(number + 1, { slot: 'band', value: tokens[number].number! }) : null;
};

/** "the 10 most traded shares". */
const basket: PhraseReader = (tokens, at) => {
  const [number, word] = [tokens[at], tokens[at + 1]];
  const isCount = number?.category === 'number' && number.form === 'plain';
  return isCount && word?.category === 'liquid'
    ? fill(at + 2, { slot: 'basket', value: number.number! })
    : null;
};

const schedule: PhraseReader = (tokens, at) => {
  const token = tokens[at];
  return token?.category === 'schedule'
    ? fill(at + 1, { slot: 'every', value: token.value as Slots['every'] })
    : null;
};

/** "after 5 days", "for a week", "hold max 20 days". */
const holding: PhraseReader = (tokens, at, place) => {
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

const wishes: PhraseReader = (tokens, at) => {
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

const labels: PhraseReader = (tokens, at) => {
  const token = tokens[at];
  if (token?.category === 'style') return fill(at + 1, { slot: 'style', value: token.value as Style });
  if (token?.category === 'risk') return fill(at + 1, { slot: 'risk', value: token.value as BuilderRisk });
  if (token?.category !== 'side') return null;
  const direction = token.value === 'both' ? 'long_short' : token.value === 'long' ? 'long' : 'short';
  return fill(at + 1, { slot: 'direction', value: direction });
};

/** Once a pair is named, its numbers are read first. */
const READERS: readonly PhraseReader[] = [
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
  band,
  basket,
  schedule,
  labels,
];
