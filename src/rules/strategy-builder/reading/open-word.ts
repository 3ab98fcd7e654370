// A word of the field that no phrase took: what is asked about it, with choices where it can mean several rules.
import type { Question } from './said.ts';
import type { Token } from './token.ts';
import { DIPS, STRONG, TRAILING_STOP } from './vague-words.ts';

/** Null where it is only not understood. */
export function openWord(
  tokens: readonly Token[],
  at: number,
): Pick<Question, 'sentence' | 'choices'> | null {
  const { category, text, asks, choices = [] } = tokens[at]!;
  if (category === 'vague' || category === 'unsupported') return asked(asks ?? '', choices);
  // A verb of the field where a noun stands: "buy dips", "sell the rally".
  const isNoun =
    NOUN_AFTER.has(tokens[at - 1]?.category ?? 'end') && !NOUN_BEFORE.has(tokens[at + 1]?.category ?? '');
  if (isNoun && category === 'fall') return asked('How large a fall is meant?', DIPS);
  if (isNoun && category === 'rise') return asked('By what rule is that seen?', STRONG);
  if (category === 'liquid') return asked('How many of the most traded?', BASKETS);
  if (category === 'option') return asked('Which options?', OPTIONS);
  // "Trailing" is a period before a length only: "trailing 12 months", and a stop otherwise.
  const isPeriod = [at + 1, at + 2].some((place) => tokens[place]?.category === 'unit');
  if (category === 'period' && /^trailing$/i.test(text) && !isPeriod) return asked(TRAILING_STOP, []);
  return null;
}

function asked(sentence: string, choices: Question['choices']) {
  return { sentence, choices: [...choices, { label: 'Leave it out', says: '' }] };
}

const NOUN_AFTER: ReadonlySet<string> = new Set(['end', 'comma', 'and', 'action', 'when', 'period']);
const NOUN_BEFORE: ReadonlySet<string> = new Set(['number', 'rank', 'compare', 'measure', 'average']);

const BASKETS = [5, 10, 20].map((count) => ({ label: String(count), says: `the ${count} most traded` }));

const OPTIONS = ['Covered calls', 'Protective puts', 'Cash-secured puts'].map((label) => ({
  label,
  says: label,
}));
