// Puts words into the order in which the walk reads them: an action before what it is about, an instrument before what is
// measured of it, and a bound that is said by a negation as a bound.
import type { Token } from './token.ts';

export function inReadingOrder(tokens: readonly Token[]): readonly Token[] {
  return actionsFirst(subjectsFirst(boundsOf(closingsOf(tokens.filter(isNotRepeated)))));
}

/** "and close when": there it is an act, not a price. */
function closingsOf(tokens: readonly Token[]): readonly Token[] {
  return tokens.map((token, at) => {
    const isPrice = token.category === 'price' && /^clos(?:e|ed)$/i.test(token.text);
    const starts = ['and', 'comma', 'end', 'or', undefined].includes(tokens[at - 1]?.category);
    const leads = ['when', 'period'].includes(tokens[at + 1]?.category ?? '');
    return isPrice && starts && leads ? { ...token, category: 'action', value: 'sell' } : token;
  });
}

/** "Never hold more than 20%" is "at most 20%". */
function boundsOf(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token, at) => {
    const [before, action] = [tokens[at - 1], tokens[at + 1]];
    const isVerb = action?.category === 'action' && ['hold', 'buy', 'trade'].includes(action.value);
    const bound = tokens[isVerb ? at + 2 : at + 1];
    const isMore =
      bound?.category === 'compare' &&
      bound.value === 'above' &&
      tokens[isVerb ? at + 3 : at + 2]?.form === 'percent';
    if (token.category === 'not' && token.value === 'no' && isVerb && isMore) return [];
    const isAfter =
      token.category === 'action' &&
      before?.category === 'not' &&
      tokens[at + 1]?.value === 'above' &&
      tokens[at + 2]?.form === 'percent';
    if (isAfter && ['hold', 'buy', 'trade'].includes(token.value)) return [];
    const isBound =
      token.value === 'above' &&
      token.category === 'compare' &&
      before?.category === 'action' &&
      tokens[at - 2]?.category === 'not' &&
      tokens[at + 1]?.form === 'percent';
    return isBound ? [{ ...token, from: tokens[at - 2]!.from, value: 'at_most' }] : [token];
  });
}

/** "when the 3-month return of TLT is negative": the instrument is put before what is measured of it. */
function subjectsFirst(tokens: readonly Token[]): readonly Token[] {
  const list = [...tokens];
  for (let at = 2; at < list.length; at++) {
    const [of, token, after] = [list[at - 1]!, list[at]!, list[at + 1]?.category ?? 'end'];
    const isSubject = token.category === 'instrument' && of.category === 'period' && /^of$/i.test(of.text);
    if (!isSubject || !['compare', 'cross', 'sign', 'not'].includes(after)) continue;
    let from = at - 1;
    while (
      from > 0 &&
      ['number', 'unit', 'measure', 'average', 'indicator', 'extreme'].includes(list[from - 1]!.category)
    )
      from--;
    if (from < at - 1) list.splice(from, at - from + 1, token, ...list.slice(from, at - 1));
  }
  return list;
}

/** "20 day breakout in, 10 day low out": an action at the end of its clause is put first. */
function actionsFirst(tokens: readonly Token[]): readonly Token[] {
  const clauses: Token[][] = [[]];
  for (const token of tokens) {
    clauses.at(-1)!.push(token);
    if (token.category === 'comma' || token.category === 'end') clauses.push([]);
  }
  return clauses.flatMap((clause) => {
    const end =
      clause.at(-1)?.category === 'comma' || clause.at(-1)?.category === 'end'
        ? clause.length - 1
        : clause.length;
    const last = clause[end - 1];
    const before = clause.slice(0, end - 1);
    const isIn = last?.category === 'period' && /^in$/i.test(last.text);
    const isAction =
      isIn || (last?.category === 'action' && ['buy', 'sell', 'short', 'cash', 'cover'].includes(last.value));
    const says = before.some(({ category }) =>
      ['compare', 'cross', 'extreme', 'style', 'average', 'unit'].includes(category),
    );
    if (
      !isAction ||
      !says ||
      before.some(({ category }) => ['action', 'otherwise', 'not', 'pair'].includes(category))
    )
      return clause;
    const action: Token = isIn ? { ...last!, category: 'action', value: 'buy' } : last!;
    return [action, ...before, ...clause.slice(end)];
  });
}

/** "when the market is [when it is above its average]", where an answer stands in the place of a vague word. */
function isNotRepeated(token: Token, at: number, tokens: readonly Token[]): boolean {
  const before = tokens[at - 1]?.category;
  const isNamed = before === 'instrument' || before === 'kind';
  return !(token.category === 'when' && isNamed && tokens[at - 2]?.category === 'when');
}
