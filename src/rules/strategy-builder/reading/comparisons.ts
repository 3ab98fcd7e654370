// Comparisons and moves as words: above, is not below, crosses, rises, falls.
import type { Comparison } from '#engine/strategy/definition.ts';
import { type At, NEGATIONS, type Term, type TermPlace, type Test } from './terms.ts';
import type { Token } from './token.ts';

export type Role = 'enterLong' | 'exitLong' | 'enterShort' | 'exitShort' | 'cash';

export type ConditionPlace = TermPlace & {
  readonly role: Role;
  readonly last: readonly Test[];
  /** A measure that was named by itself, for the numbers that follow. */
  readonly leaning: Term | null;
  /** The right side of the condition that ends here: "price above 20 EMA above 50 EMA". */
  readonly chained: Term | null;
  /** The other instrument that it is about. */
  readonly subject: string | null;
};

export type Draft = { readonly op: Comparison; readonly left: Term; readonly right: Term };
export type Drafts = { readonly drafts: readonly Draft[]; readonly next: number; readonly any?: true };

export type Pattern = (tokens: readonly Token[], at: number, place: ConditionPlace) => Drafts | null;

export const one = (op: Comparison, left: Term, right: Term, next: number): Drafts => ({
  drafts: [{ op, left, right }],
  next,
});

export const sellsLong = ({ role }: ConditionPlace) => role === 'exitLong' || role === 'enterShort';

export const isMove = (token: Token | undefined) => token?.category === 'rise' || token?.category === 'fall';
export const isShare = (token: Token | undefined) =>
  token?.form === 'percent' || (token?.form === 'fraction' && token.number! < 50);

/** "above", "is not above", "falls back below", "crosses". */
export function comparisonAt(
  tokens: readonly Token[],
  at: number,
  place: ConditionPlace,
): At<Comparison> | null {
  let next = at;
  let negated = false;
  while (tokens[next] !== undefined) {
    const { category, value } = tokens[next]!;
    if (
      category === 'not' &&
      value === 'no' &&
      /^(?:not|isn.?t|is not|doesn.?t|does not|aren.?t|are not|wasn.?t)$/i.test(tokens[next]!.text)
    )
      negated = !negated;
    else if (!(category === 'mark' && value === 'back') && !isMove(tokens[next])) break;
    next++;
  }
  const token = tokens[next];
  if (token?.category === 'compare') {
    const value = token.value as Comparison;
    return { value: negated ? NEGATIONS[value] : value, next: next + 1 };
  }
  if (token?.category !== 'cross' || negated || token.value === 'golden' || token.value === 'death')
    return null;
  if (token.value !== 'either') return { value: token.value as Comparison, next: next + 1 };
  return { value: sellsLong(place) ? 'crosses_below' : 'crosses_above', next: next + 1 };
}
