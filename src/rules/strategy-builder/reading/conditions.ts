// One condition from here on: "50-day average crosses above the 200-day average", "RSI(14) is under 25", "falls 10% within
// 5 days", "a 20-day low", and the short forms that lean on what was said before: "below it", "over 70".
import {
  comparisonAt,
  type ConditionPlace,
  type Draft,
  type Drafts,
  isMove,
  isShare,
  one,
  type Pattern,
  sellsLong,
} from './comparisons.ts';
import { ago, lostAverage, moves, peakAt, underPeak } from './moves.ts';
import type { Comparison, Feature } from '#engine/strategy/definition.ts';
import { spanOf, type Token } from './token.ts';
import {
  type At,
  donchian,
  lengthAt,
  OPPOSITES,
  periodAt,
  type Term,
  termAt,
  termOf,
  type Test,
} from './terms.ts';

/** Tests of one condition, all to hold unless `any`; or a loss or gain since entry, in percent. */
export type ConditionRead = {
  readonly tests: readonly Test[];
  readonly any?: true;
  readonly since?: { readonly stopPercent?: number; readonly targetPercent?: number };
  readonly next: number;
};

export function conditionAt(
  tokens: readonly Token[],
  from: number,
  place: ConditionPlace,
): ConditionRead | null {
  const at = tokens[from]?.category === 'mark' && tokens[from]!.value === 'back' ? from + 1 : from;
  const since = sinceEntry(tokens, at, place);
  if (since !== null) return since;
  const found = PATTERNS.reduce<Drafts | null>((known, pattern) => known ?? pattern(tokens, at, place), null);
  if (found === null) return null;
  const spans = [spanOf(tokens.slice(from, found.next))];
  const tests = found.drafts.map(({ op, left, right }) => ({ op, left, right, spans }));
  return { tests, next: found.next, ...(found.any ? { any: true as const } : {}) };
}

/** Loss and gain since entry: "once it has gained 8%", "down a tenth". */
function sinceEntry(tokens: readonly Token[], at: number, place: ConditionPlace): ConditionRead | null {
  if (place.role !== 'exitLong' && place.role !== 'exitShort') return null;
  const direct = isMove(tokens[at]) && isShare(tokens[at + 1]);
  const turned = isShare(tokens[at]) && isMove(tokens[at + 1]);
  if (!direct && !turned) return null;
  if (direct && (periodAt(tokens, at + 2, place) !== null || tokens[at + 2]?.category === 'compare'))
    return null;
  if (direct && peakAt(tokens, at + 2, place) !== null) return null;
  const share = tokens[direct ? at + 1 : at]!;
  const move = tokens[direct ? at : at + 1]!;
  const since = move.category === 'rise' ? { targetPercent: share.number! } : { stopPercent: share.number! };
  return { tests: [], since, next: at + 2 };
}

/** "between 40 and 50". */
const between: Pattern = (tokens, at, place) => {
  const left = termAt(tokens, at, place);
  if (left === null || tokens[left.next]?.value !== 'between') return null;
  const [low, and, high] = [tokens[left.next + 1], tokens[left.next + 2], tokens[left.next + 3]];
  if (low?.category !== 'number' || and?.category !== 'and' || high?.category !== 'number') return null;
  const term = termOf(left.value, place.subject);
  const drafts = [
    { op: 'above', left: term, right: scaled(term, low) } as const,
    { op: 'below', left: term, right: scaled(term, high) } as const,
  ];
  return { drafts, next: left.next + 4 };
};

/** "2 standard deviations below its 20-day mean". */
const deviations: Pattern = (tokens, at, place) => {
  const count = tokens[at];
  if (count?.category !== 'number' || tokens[at + 1]?.category !== 'deviation') return null;
  const size = count.form === 'fraction' ? count.number! / 100 : count.number!;
  const op = comparisonAt(tokens, at + 2, place);
  if (op === null) return null;
  const mean = termAt(tokens, op.next, place);
  const bare = tokens[op.next]?.category === 'average' ? op.next + 1 : op.next;
  const length =
    mean !== null && typeof mean.value === 'object' && 'length' in mean.value ? mean.value.length : 20;
  const isBelow = op.value === 'below' || op.value === 'at_most' || op.value === 'crosses_below';
  const left = termOf({ indicator: 'zscore', length }, place.subject);
  return one(isBelow ? 'below' : 'above', left, isBelow ? -size : size, mean?.next ?? bare);
};

/** "50/200 golden cross", "golden cross", "50/200 crossover". */
const goldenCross: Pattern = (tokens, at, place) => {
  const isPair =
    tokens[at]?.category === 'number' &&
    tokens[at + 1]?.value === '/' &&
    tokens[at + 2]?.category === 'number';
  const after = isPair ? at + 3 : at;
  const noun = tokens[after]?.category === 'average' ? after + 1 : after;
  const cross = tokens[noun];
  if (cross?.category !== 'cross' || (!isPair && cross.value !== 'golden' && cross.value !== 'death'))
    return null;
  const [fast, slow] = isPair ? [tokens[at]!.number!, tokens[at + 2]!.number!] : [50, 200];
  const isDown =
    cross.value === 'death' ||
    cross.value === 'crosses_below' ||
    (cross.value === 'either' && sellsLong(place));
  const named = noun > after ? tokens[after]!.value : 'sma';
  const indicator = named === 'ema' || named === 'wma' ? named : 'sma';
  const average = (length: number) => termOf({ indicator, length }, place.subject);
  return one(isDown ? 'crosses_below' : 'crosses_above', average(fast), average(slow), noun + 1);
};

const stretched: Pattern = (tokens, at, place) => {
  if (tokens[at]?.category !== 'stretched') return null;
  const left = termOf({ indicator: 'rsi', length: place.lengths['rsi'] ?? 14 }, place.subject);
  return tokens[at].value === 'oversold' ? one('below', left, 30, at + 1) : one('above', left, 70, at + 1);
};

/** "3-month return is positive". */
const signed: Pattern = (tokens, at, place) => {
  const left = termAt(tokens, at, place);
  const sign = left && tokens[left.next];
  if (!left || sign?.category !== 'sign' || typeof left.value !== 'object') return null;
  return one(
    sign.value === 'positive' ? 'above' : 'below',
    termOf(left.value, place.subject),
    0,
    left.next + 1,
  );
};

/** Left, comparison, right. */
const compared: Pattern = (tokens, at, place) => {
  const left = termAt(tokens, at, place) ?? bareAverage(tokens, at, place);
  if (left === null || typeof left.value === 'number') return null;
  const op = comparisonAt(tokens, left.next, place);
  if (op === null) return null;
  const term = termOf(left.value, place.subject);
  const right = rightOf(tokens, op.next, { place, left: left.value });
  if (right !== null) return several({ op: op.value, left: term }, tokens, right, place);
  const isMacd = typeof left.value === 'object' && left.value.indicator === 'macd';
  if (isMacd)
    return one(
      op.value,
      term,
      termOf({ ...left.value, output: 'signal' } as Feature, place.subject),
      op.next,
    );
  return null;
};

/** The price, or what the last condition was about, against something: "above its 200-day average", "over 70". */
const against: Pattern = (tokens, at, place) => {
  const measured = place.last.at(-1)?.left;
  if (tokens[at]?.category === 'sign' && typeof measured === 'object')
    return one(tokens[at].value === 'positive' ? 'above' : 'below', measured, 0, at + 1);
  const op = comparisonAt(tokens, at, place);
  if (op === null) return null;
  const last = place.leaning ?? measureOf(place) ?? 'close';
  const right = rightOf(tokens, op.next, { place, left: last });
  const isNumber = typeof right?.value === 'number';
  // "above 200" of a price may mean an average of 200 days: only a price that looks like one is taken.
  const isPrice =
    tokens[op.next]?.form === 'money' ||
    !Number.isInteger(right?.value) ||
    place.last.some((test) => test.left === 'close' && typeof test.right === 'number');
  if (right !== null && (!isNumber || isPrice || (typeof last === 'object' && place.subject === null))) {
    const own = isNumber && place.subject === null ? last : termOf('close', place.subject);
    const left = place.chained ?? (isNumber ? own : (facing(right.value, place) ?? own));
    return several({ op: op.value, left }, tokens, right, place);
  }
  if (tokens[op.next]?.value === 'either' && tokens[op.next]?.category === 'reference')
    return { drafts: turned(place.last, op.value), next: op.next + 1, any: true };
  const isLeft = [
    'number',
    'unit',
    'unknown',
    'vague',
    'unsupported',
    'instrument',
    'average',
    'extreme',
  ].includes(tokens[op.next]?.category ?? '');
  return place.last.length === 0 || isLeft
    ? null
    : { drafts: turned(place.last.slice(-1), op.value), next: op.next };
};

/** What the last numbers were about. */
function measureOf(place: ConditionPlace): Term | null {
  const before = place.last.findLast(
    ({ left }) => typeof left === 'object' && !['sma', 'ema', 'wma'].includes(left.indicator),
  );
  const price = place.last.findLast(({ left, right }) => left === 'close' && typeof right === 'number');
  return before?.left ?? price?.left ?? lengthsLeft(place) ?? null;
}

/** What was compared with the same thing before: "sell when it crosses below the signal line". */
function facing(right: Term, place: ConditionPlace): Term | null {
  const before = place.last.find((test) => JSON.stringify(test.right) === JSON.stringify(right));
  if (before !== undefined && place.subject === null) return before.left;
  const isSignal = typeof right === 'object' && right.indicator === 'macd' && right.output === 'signal';
  return isSignal ? { ...right, output: 'line' } : null;
}

/** The same sides under another comparison. */
function turned(last: readonly Test[], op: Comparison): Draft[] {
  return last.map(({ left, right, op: before }) => {
    const isCross = before.startsWith('crosses');
    const crossing = op === 'above' ? 'crosses_above' : op === 'below' ? 'crosses_below' : op;
    return { op: isCross ? crossing : op, left, right };
  });
}

/** "a new 55-day high", "20 day breakout". */
const broken: Pattern = (tokens, at, place) => {
  const length = lengthAt(tokens, at, place);
  if (length !== null && tokens[length.next]?.value === 'breakout') {
    const side = sellsLong(place) ? 'lower' : 'upper';
    return one(
      side === 'upper' ? 'above' : 'below',
      termOf('close', place.subject),
      termOf(donchian(length.value, side), place.subject),
      length.next + 1,
    );
  }
  const term = termAt(tokens, at, place);
  if (term === null || typeof term.value !== 'object' || term.value.indicator !== 'donchian') return null;
  if (comparisonAt(tokens, term.next, place) !== null) return null;
  const op = term.value.output === 'upper' ? 'above' : 'below';
  return one(op, termOf('close', place.subject), termOf(term.value, place.subject), term.next);
};

/** "sell at the middle band", "sell at the mean". */
const reached: Pattern = (tokens, at, place) => {
  const band = tokens[at]?.category === 'band' ? termAt(tokens, at, place) : null;
  if (band !== null) return one(sellsLong(place) ? 'above' : 'below', 'close', band.value, band.next);
  const zscore = place.last.at(-1)?.left;
  if (tokens[at]?.category !== 'average' || typeof zscore !== 'object' || zscore.indicator !== 'zscore')
    return null;
  return one(sellsLong(place) ? 'at_least' : 'at_most', zscore, 0, at + 1);
};

/** "buy 30", "sell at RSI 60". */
const threshold: Pattern = (tokens, at, place) => {
  const isNamed = tokens[at]?.category === 'indicator';
  const named = isNamed ? termAt(tokens, at, place) : null;
  const left = named?.value ?? place.leaning ?? place.last.at(-1)?.left ?? lengthsLeft(place);
  const number = tokens[named?.next ?? at];
  const isOscillator = typeof left === 'object' && ['rsi', 'stochastic', 'zscore'].includes(left.indicator);
  if (
    !isOscillator ||
    number?.category !== 'number' ||
    number.form !== 'plain' ||
    tokens[(named?.next ?? at) + 1]?.category === 'unit'
  )
    return null;
  return one(sellsLong(place) ? 'above' : 'below', left, number.number!, (named?.next ?? at) + 1);
};

function lengthsLeft(place: ConditionPlace): Term | undefined {
  return place.lengths['rsi'] === undefined ? undefined : { indicator: 'rsi', length: place.lengths['rsi'] };
}

const PATTERNS: readonly Pattern[] = [
  between,
  deviations,
  goldenCross,
  stretched,
  signed,
  ago,
  underPeak,
  compared,
  lostAverage,
  moves,
  against,
  broken,
  reached,
  threshold,
];

function rightOf(
  tokens: readonly Token[],
  at: number,
  { place, left }: { readonly place: ConditionPlace; readonly left: Term },
): At<Term> | null {
  const term = termAt(tokens, at, place);
  if (term !== null && typeof term.value !== 'number') {
    const isVolume = left === 'volume' && typeof term.value === 'object' && term.value.indicator === 'sma';
    const own = isVolume ? ({ ...term.value, of: 'volume' } as Feature) : term.value;
    return { value: termOf(own, place.subject), next: term.next };
  }
  const average = bareAverage(tokens, at, place);
  if (average !== null) return { value: termOf(average.value, place.subject), next: average.next };
  const token = tokens[at];
  if (token?.category !== 'number' || token.form === 'fraction' || tokens[at + 1]?.category === 'unit')
    return null;
  if (token.form === 'percent' && !isRatio(left) && !isHundred(left)) return null;
  return { value: scaled(left, token), next: at + 1 };
}

const isRatio = (left: Term) =>
  typeof left === 'object' && ['roc', 'volatility', 'drawdown'].includes(left.indicator);
const isHundred = (left: Term) =>
  typeof left === 'object' && ['rsi', 'adx', 'stochastic'].includes(left.indicator);

/** Changes and volatility are fractions of one; people say percent. */
function scaled(left: Term, token: Token): number {
  const value = token.number!;
  return isRatio(left) ? Math.round(value * 1e6) / 1e8 : value;
}

/** "over the 100 day". */
function bareAverage(tokens: readonly Token[], at: number, place: ConditionPlace): At<Feature> | null {
  const length = lengthAt(tokens, at, place);
  if (length === null || tokens[length.next - 1]!.value !== 'day') return null;
  const after = tokens[length.next]?.category ?? 'end';
  if (
    ['average', 'extreme', 'measure', 'indicator', 'rise', 'fall', 'style', 'rank'].includes(after) ||
    tokens[length.next]?.value === 'ago'
  )
    return null;
  return { value: { indicator: 'sma', length: length.value }, next: length.next };
}

/** "above its 50-day and its 200-day average". */
function several(
  test: { readonly op: Comparison; readonly left: Term },
  tokens: readonly Token[],
  right: At<Term>,
  place: ConditionPlace,
): Drafts {
  const drafts: Draft[] = [{ ...test, right: right.value }];
  let { next } = right;
  while (tokens[next]?.category === 'and' && typeof right.value === 'object') {
    const more = termAt(tokens, next + 1, place);
    if (
      more === null ||
      typeof more.value !== 'object' ||
      !['sma', 'ema', 'wma'].includes(more.value.indicator)
    )
      break;
    if (comparisonAt(tokens, more.next, place) !== null) break;
    drafts.push({ ...test, right: termOf(more.value, place.subject) });
    next = more.next;
  }
  return { drafts, next };
}

/** The other way round, for the way out. */
export function oppositeOf(test: Test): Test {
  return { ...test, op: OPPOSITES[test.op] };
}

/** Whether its end is its opposite, as of a price above its average; an RSI under 30 has no such end. */
export function hasOpposite({ op, left, right }: Test): boolean {
  if (op.startsWith('crosses')) return true;
  if (typeof left === 'object' && ['roc', 'drawdown'].includes(left.indicator)) return right === 0;
  if (typeof left === 'object' && !['sma', 'ema', 'wma', 'macd'].includes(left.indicator)) return false;
  if (left === 'volume') return false;
  return typeof right === 'object' && ['sma', 'ema', 'wma', 'macd'].includes(right.indicator);
}
