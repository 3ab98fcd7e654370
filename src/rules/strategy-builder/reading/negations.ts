// What is not wanted. A negation that is understood excludes; any other refuses, because leaving it out would build the
// opposite of what was asked.
import type { Said } from './said.ts';
import { type Span, spanOf, type Token } from './token.ts';

export function negationAt(tokens: readonly Token[], at: number, said: Said): number | null {
  const token = tokens[at]!;
  if (isForbiddenLater(tokens, at)) return noShorts(tokens, at, { said, next: at + 2 });
  if (token.category !== 'not') return null;
  const isBeforeComparison = tokens[at + 1]?.category === 'compare' || tokens[at + 1]?.category === 'cross';
  if (isBeforeComparison) {
    const schedule = tokens[at + 2];
    if (schedule?.category === 'schedule') {
      said.note(
        { slot: 'every', value: schedule.value as 'day' | 'week' | 'month' },
        spanOf(tokens.slice(at, at + 3)),
      );
      return at + 3;
    }
    return null;
  }
  const isVerb =
    tokens[at + 1]?.category === 'action' && ['buy', 'hold', 'trade'].includes(tokens[at + 1]!.value);
  const from = skipWords(tokens, at + 1, isVerb);
  const named = tokens[from];
  if (named?.category === 'action' && named.value === 'short')
    return noShorts(tokens, at, { said, next: from + 1 });
  if (named?.category === 'side' && named.value !== 'long')
    return noShorts(tokens, at, { said, next: from + 1 });
  if (/^(?:leverage|leveraged|margin|on margin|borrow|borrowing|borrowed money)$/i.test(named?.text ?? '')) {
    said.link(spanOf(tokens.slice(at, from + 1)), 'gross');
    return from + 1;
  }
  if (named?.category === 'style' && isEnd(tokens[from + 1])) {
    const span = spanOf(tokens.slice(at, from + 1));
    if (said.get('style') === named.value)
      said.refuse('These two contradict each other: it is wanted and excluded.', [
        said.spanOf('style')!,
        span,
      ]);
    said.link(span, 'rule');
    return from + 1;
  }
  if (named?.category === 'stop') {
    said.note({ slot: 'stopPercent', value: 'none' }, spanOf(tokens.slice(at, from + 1)));
    return from + 1;
  }
  const isLong =
    isVerb && tokens[at + 1]!.value === 'buy' && /long/i.test(tokens[at + 1]!.text) && isEnd(tokens[at + 2]);
  if (isLong) {
    said.link(spanOf(tokens.slice(at, at + 2)), 'direction');
    return at + 2;
  }
  return excluded(tokens, at, { said, from });
}

/** "short selling is forbidden". */
function isForbiddenLater(tokens: readonly Token[], at: number): boolean {
  return (
    tokens[at]?.category === 'action' &&
    tokens[at]!.value === 'short' &&
    tokens[at + 1]?.category === 'not' &&
    isEnd(tokens[at + 2])
  );
}

function noShorts(
  tokens: readonly Token[],
  at: number,
  { said, next }: { readonly said: Said; readonly next: number },
): number {
  const span = spanOf(tokens.slice(at, next));
  said.note({ slot: 'direction', value: 'long' }, span);
  // A correction takes short sales out again that an earlier message asked for.
  said.tests = said.tests.filter(({ role, message }) => message === span.message || !role.endsWith('Short'));
  const sold = tokens[next];
  return sold?.category === 'action' && sold.value === 'sell' && isEnd(tokens[next + 1]) ? next + 1 : next;
}

function excluded(
  tokens: readonly Token[],
  at: number,
  { said, from }: { readonly said: Said; readonly from: number },
): number {
  const names = namesFrom(tokens, from, tokens.length);
  const next = names.length === 0 ? from : tokens.indexOf(names.at(-1)!) + 1;
  const isListed = tokens[at]!.value === 'except' || /^without$/i.test(tokens[at]!.text);
  const isDone = isEnd(tokens[next]) || isListed;
  if (names.length === 0 || !isDone || tokens[next]?.category === 'when') {
    const end = endOfClause(tokens, at);
    const span: Span = spanOf(tokens.slice(at, Math.max(end, at + 1)));
    said.refuse(
      'This says what is not wanted in a way that is not understood, so nothing is built. Say it in other words.',
      [span],
    );
    return Math.max(end, at + 1);
  }
  for (const one of names) {
    const span = spanOf([...tokens.slice(at, at + 1), one]);
    const { message } = one;
    if (one.category === 'kind') said.kinds.push({ kind: one.value, span, isNot: true, message });
    else said.instruments.push({ symbols: one.symbols ?? [], token: one, span, isNot: true, message });
    said.link(span, 'universe');
  }
  return next;
}

/** Instruments and kinds in a row, joined by and, or, and commas between instruments. */
export function namesFrom(tokens: readonly Token[], from: number, to: number): readonly Token[] {
  const names: Token[] = [];
  for (let i = from; i < to; i++) {
    const token = tokens[i]!;
    const isName = token.category === 'instrument' || token.category === 'kind';
    if (isName) names.push(token);
    else if (names.length === 0) break;
    else if (token.category === 'and' || token.category === 'or') {
      const next = tokens[i + 1]?.category;
      if (next !== 'instrument' && next !== 'kind') break;
    } else if (token.category === 'comma') {
      if (
        tokens[i + 1]?.category !== 'instrument' ||
        !['comma', 'and', 'or', 'end', undefined].includes(tokens[i + 2]?.category)
      )
        break;
    } else break;
  }
  return names;
}

function skipWords(tokens: readonly Token[], from: number, isVerb: boolean): number {
  let next = isVerb ? from + 1 : from;
  while (['period', 'only'].includes(tokens[next]?.category ?? '')) next++;
  return next;
}

function isEnd(token: Token | undefined): boolean {
  return token === undefined || ['end', 'comma', 'and', 'or', 'not', 'only'].includes(token.category);
}

function endOfClause(tokens: readonly Token[], at: number): number {
  const end = tokens.findIndex(
    ({ category }, place) => place > at && (category === 'end' || category === 'comma'),
  );
  return end < 0 ? tokens.length : end;
}
