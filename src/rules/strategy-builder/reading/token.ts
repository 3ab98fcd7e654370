// One word, number or phrase of a description, with where it stands.
import type { Category } from './lexicon.ts';
import type { Choice } from './vague-words.ts';

/** Characters from `from` up to `to` of one message of the conversation. */
export type Span = { readonly message: number; readonly from: number; readonly to: number };

export type Token = Span & {
  readonly category: Category;
  /** Which of its category. */
  readonly value: string;
  readonly text: string;
  readonly number?: number;
  readonly form?: 'plain' | 'percent' | 'money' | 'fraction';
  /** Of instruments: the symbols that the name may stand for. */
  readonly symbols?: readonly string[];
  readonly asks?: string;
  readonly choices?: readonly Choice[];
  /** It stands in brackets, as the length in RSI(14) does. */
  readonly bracketed?: boolean;
  /** What a misspelt word was read as. */
  readonly readAs?: string;
};

export function spanOf(tokens: readonly Token[]): Span {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('a span of no words');
  return { message: first.message, from: first.from, to: Math.max(...tokens.map(({ to }) => to)) };
}
