// A pair in words: two against each other, how far apart it enters and leaves, and over how many days that is measured.
import { fill, type Phrase, type PhraseReader } from './phrase.ts';
import { lengthAt, periodAt } from './terms.ts';
import type { Token } from './token.ts';

/** "enter at 2 standard deviations", "exit at 0.5", "60 days", of a pair. */
export const pairs: PhraseReader = (tokens, at, place) => {
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
