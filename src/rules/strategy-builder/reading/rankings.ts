// The words of a ranking: how many of what is best by which change. Only the highest are held; a ranking by the lowest is
// asked back.
import type { ConditionPlace } from './comparisons.ts';
import type { Ranking, Said } from './said.ts';
import { lengthAt, periodAt, sideOf } from './terms.ts';
import { spanOf, type Token } from './token.ts';

type Place = { readonly said: Said; readonly place: ConditionPlace };

export function hasRanking(tokens: readonly Token[]): boolean {
  return tokens.some((token, at) => isRankWord(tokens, at) && token.value !== 'bottom');
}

export function rankingAt(tokens: readonly Token[], at: number, { said, place }: Place): number | null {
  const rank = (said.rank ??= { words: [] });
  return (
    countAt(tokens, at, { said, rank }) ??
    lookbackAt(tokens, at, { rank, place, said }) ??
    wordAt(tokens, at, { said, rank })
  );
}

/** "highest price of 20 days" is a level, not a ranking. */
function isRankWord(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]!;
  if (token.category !== 'rank') return false;
  const after = tokens[at + 1]?.category;
  return !(
    sideOf(token) !== null &&
    (after === 'price' || after === 'period' || after === 'extreme' || tokens[at - 1]?.category === 'unit')
  );
}

type Found = { readonly said: Said; readonly rank: Ranking };

function countAt(tokens: readonly Token[], at: number, found: Found): number | null {
  const token = tokens[at]!;
  const after = tokens[at + 1];
  if (isRankWord(tokens, at) && token.value === 'top' && isCount(after, tokens[at + 2]))
    return setCount(tokens, { from: at, at: at + 1 }, found);
  if (!isCount(token, after)) return null;
  for (let i = at + 1; i <= at + 4 && i < tokens.length; i++) {
    if (isRankWord(tokens, i) && tokens[i]!.value === 'top') return setCount(tokens, { from: at, at }, found);
    if (!['kind', 'rise', 'only', 'period'].includes(tokens[i]!.category)) return null;
  }
  return null;
}

function isCount(token: Token | undefined, after: Token | undefined): boolean {
  return token?.category === 'number' && token.form === 'plain' && after?.category !== 'unit';
}

function setCount(
  tokens: readonly Token[],
  { from, at }: { readonly from: number; readonly at: number },
  { said, rank }: Found,
): number {
  const span = spanOf(tokens.slice(from, at + 1));
  const value = tokens[at]!.number!;
  const clashes =
    rank.count !== undefined && rank.count.span.message === span.message && rank.count.value !== value;
  if (clashes)
    said.refuse('These two contradict each other: a ranking holds one number of instruments.', [
      rank.count!.span,
      span,
    ]);
  rank.count = { value, span };
  said.link(span, 'rule');
  return at + 1;
}

/** "by 6-month return", "most in the last six months", "over a year". */
function lookbackAt(
  tokens: readonly Token[],
  at: number,
  { said, rank, place }: Found & { readonly place: ConditionPlace },
): number | null {
  if (tokens[at]?.value === 'skip' && tokens[at + 1]?.category === 'unit') {
    rank.skips = place.daysOf[tokens[at + 1]!.value]!;
    said.link(spanOf(tokens.slice(at, at + 2)), 'rule');
    return at + 2;
  }
  let from = at;
  while (['measure', 'rise'].includes(tokens[from]?.category ?? '') || tokens[from]?.value === 'momentum')
    from++;
  const length = periodAt(tokens, from, place) ?? lengthAt(tokens, from, place);
  if (length === null) return null;
  let { next } = length;
  const after = tokens[next]?.category ?? 'end';
  if (['compare', 'cross', 'sign', 'average', 'extreme', 'indicator', 'band'].includes(after)) return null;
  while (['measure', 'rise'].includes(tokens[next]?.category ?? '') || tokens[next]?.value === 'momentum')
    next++;
  if (['compare', 'sign', 'cross'].includes(tokens[next]?.category ?? '')) return null;
  const span = spanOf(tokens.slice(at, next));
  const clashes =
    rank.lookback !== undefined &&
    rank.lookback.span.message === span.message &&
    rank.lookback.value !== length.value;
  if (clashes)
    said.refuse('These two contradict each other: a ranking is by one period.', [rank.lookback!.span, span]);
  rank.lookback = { value: length.value, span };
  said.link(span, 'rule');
  return next;
}

function wordAt(tokens: readonly Token[], at: number, { said, rank }: Found): number | null {
  const token = tokens[at]!;
  const isMove = token.category === 'rise' && (isRank(tokens[at + 1]) || isRank(tokens[at - 1]));
  if (!isRankWord(tokens, at) && !isMove) return null;
  const span = spanOf([token]);
  if (token.value === 'bottom') {
    said.ask({
      topic: 'words',
      spans: [span],
      sentence: 'A ranking holds the highest; one by the lowest is not available.',
      choices: [{ label: 'Leave it out', says: '' }],
    });
    return at + 1;
  }
  rank.words.push(span);
  if (token.value === 'better' || /^winner$/i.test(token.text)) rank.count ??= { value: 1, span };
  said.link(span, 'rule');
  return at + 1;
}

function isRank(token: Token | undefined): boolean {
  return token?.category === 'rank';
}
