// Conditions about how far a price has moved: over a period, from its high, or against what it was some time ago.
import { comparisonAt, type ConditionPlace, isMove, isShare, one, type Pattern } from './comparisons.ts';
import { type At, lengthAt, periodAt, sideOf, termAt, termOf } from './terms.ts';
import type { Token } from './token.ts';

/** "falls 10% within 5 days", "rose more than 5% last week", "up over 3 months", "a 3-month gain". */
export const moves: Pattern = (tokens, at, place) => {
  const ahead = periodAt(tokens, at, place) ?? lengthAt(tokens, at, place);
  const verb = ahead?.next ?? at;
  const move = tokens[verb];
  if (!isMove(move)) return null;
  const isRise = move!.category === 'rise';
  const size = sizeOfMove(tokens, verb + 1);
  const fromPeak = size === null || isRise ? null : peakAt(tokens, size.next, place);
  if (fromPeak !== null) {
    const left = termOf({ indicator: 'drawdown', length: fromPeak.value }, place.subject);
    return one('below', left, -size!.value, fromPeak.next);
  }
  const after = size?.next ?? verb + 1;
  const period =
    ahead === null
      ? (periodAt(tokens, after, place) ?? lengthAt(tokens, after, place))
      : { value: ahead.value, next: after };
  if (period === null || tokens[period.next]?.category === 'average') return null;
  const left = termOf({ indicator: 'roc', length: period.value }, place.subject);
  const bound = size === null ? 0 : isRise ? size.value : -size.value;
  return one(isRise ? 'above' : 'below', left, bound, period.next);
};

/** "loses its 200-day average". */
export const lostAverage: Pattern = (tokens, at, place) => {
  if (tokens[at]?.category !== 'fall' || !/^los(?:e|es|ing|t)$/i.test(tokens[at]!.text)) return null;
  const term = termAt(tokens, at + 1, place);
  const isAverage = typeof term?.value === 'object' && ['sma', 'ema', 'wma'].includes(term.value.indicator);
  return isAverage
    ? one('below', termOf('close', place.subject), termOf(term.value, place.subject), term.next)
    : null;
};

/** "20% below its 52-week high". */
export const underPeak: Pattern = (tokens, at, place) => {
  const share = tokens[at];
  const side = tokens[at + 1];
  if (share?.form !== 'percent' || side?.category !== 'compare' || side.value !== 'below') return null;
  const peak = peakAt(tokens, at + 1, place);
  const left = termOf({ indicator: 'drawdown', length: peak?.value ?? 1 }, place.subject);
  return peak && one('below', left, -Math.round(share.number! * 100) / 10_000, peak.next);
};

/** "more than 5%", "by 10%", "of 4%". A fraction of one. */
function sizeOfMove(tokens: readonly Token[], at: number): At<number> | null {
  const leads = tokens[at]?.category === 'compare' || /^of$/i.test(tokens[at]?.text ?? '');
  const from = leads ? at + 1 : at;
  const token = tokens[from];
  return isShare(token) ? { value: Math.round(token!.number! * 100) / 10_000, next: from + 1 } : null;
}

/** "from its 52-week high", "below its high". */
export function peakAt(tokens: readonly Token[], at: number, place: ConditionPlace): At<number> | null {
  const from =
    tokens[at]?.category === 'compare' ||
    tokens[at]?.category === 'period' ||
    /^from$/i.test(tokens[at]?.text ?? '')
      ? at + 1
      : at;
  const term = termAt(tokens, from, place);
  if (
    term !== null &&
    typeof term.value === 'object' &&
    term.value.indicator === 'donchian' &&
    term.value.output === 'upper'
  )
    return { value: term.value.length, next: term.next };
  return sideOf(tokens[from]) === 'upper' ? { value: place.daysOf['year']!, next: from + 1 } : null;
}

/** "trades higher than it did ten months ago". */
export const ago: Pattern = (tokens, at, place) => {
  const op = comparisonAt(tokens, at, place);
  const length = op && lengthAt(tokens, op.next, place, true);
  if (!op || !length || tokens[length.next]?.value !== 'ago') return null;
  return one(op.value, termOf({ indicator: 'roc', length: length.value }, place.subject), 0, length.next + 1);
};
